export qwen3-8b 8xH100 --to verl --seq 4096 --batch 60 --plan tp=4,sp,recompute=full,offload=optimizer --dry-run
