export deepseek-v3 2048xH800 --to megatron --mtp 1 --plan tp=1,pp=16,ep=64,zero=1,uneven,recompute=full --dry-run
