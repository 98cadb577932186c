export tests/data/models/minimax-text-01.json 512xH100 --batch 512 --seq 8192 --to megatron --plan pp=8,ep=32,zero=1,recompute=full --dry-run
