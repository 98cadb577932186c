sweep llama-3-8b H100 --gpus 8,12 --batch 64 --format jsonl
