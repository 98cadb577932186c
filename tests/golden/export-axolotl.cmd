export qwen3-8b 8xA100 --to axolotl --seq 4096 --batch 64 --plan zero=3,mbs=2,recompute=full --dry-run
