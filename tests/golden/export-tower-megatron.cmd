export tests/data/towers/qwen2.5-vl-7b.json 8xA100 --to megatron --seq 4096 --batch 64 --dry-run
