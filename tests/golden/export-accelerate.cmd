export llama-3-8b 16xH100 --to accelerate --plan zero=3,shard=8,recompute=full --dry-run
