sweep llama-3-8b H100 --tokens 2T --deadline 30d --max-gpus 512 --json
