export llama-3-8b 16xA100 --to hf-deepspeed --plan pp=2 --dry-run
