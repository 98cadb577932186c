sweep llama-3-8b H100 --gpus 8..24:4 --batch 64 --pin pp=1
