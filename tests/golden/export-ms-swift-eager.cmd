export qwen3-8b 8xA100 --to ms-swift --seq 2048 --batch 64 --plan zero=3,recompute=full --attention eager --launcher deepspeed --dry-run
