export llama-3-8b 16xH100 --to hf-fsdp --plan zero=3,shard=8,recompute=full --dry-run
