export llama-3-8b 16xH100 --to hf-fsdp --plan zero=1 --dry-run
