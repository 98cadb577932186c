export gemma-2-9b 8xH100 --to megatron --dry-run
