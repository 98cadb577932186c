export llama-3-8b 8xH100 --to accelerate --dry-run --json
