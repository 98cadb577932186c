fit tests/data/towers/qwen2.5-vl-7b.json 8xA100 --framework deepspeed-hf --seq 4096 --batch 64 --images 2
