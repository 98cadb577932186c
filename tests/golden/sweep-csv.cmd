sweep llama-3-8b H100 --gpus 4..16 --batch 64 --tokens 1T --price 2 --format csv
