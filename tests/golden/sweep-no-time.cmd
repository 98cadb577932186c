sweep llama-3-8b H100 --tokens 2T --deadline 5d --max-gpus 256
