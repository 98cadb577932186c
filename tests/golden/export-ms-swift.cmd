export qwen3-8b 8xA100 --to ms-swift --seq 4096 --batch 64 --plan zero=3,recompute=full --launcher mpirun --dry-run
