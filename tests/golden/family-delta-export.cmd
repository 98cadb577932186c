export qwen3-next-80b-a3b 64xH100 --to megatron --plan ep=16,zero=1,mbs=1,recompute=full --dry-run --force
