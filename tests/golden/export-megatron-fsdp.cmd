export llama-3-8b 64xH100 --to megatron --plan zero=3,shard=8,recompute=full:4 --launcher torchrun --force --dry-run
