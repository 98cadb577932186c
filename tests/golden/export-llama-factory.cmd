export qwen3-8b 8xA100 --to llama-factory --seq 4096 --batch 64 --plan zero=2,recompute=full --dry-run
