export llama-3-8b 8xH100 --to lightning --dry-run
