fit tests/data/towers/qwen2.5-vl-7b.json 8xA100 --images 5 --seq 4096
