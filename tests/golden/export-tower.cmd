export tests/data/towers/qwen2.5-vl-7b.json 8xA100 --to llama-factory --framework deepspeed-hf --plan zero=3,recompute=full --seq 4096 --batch 64 --freeze vision,projector --dry-run
