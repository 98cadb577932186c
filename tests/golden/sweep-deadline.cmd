sweep llama-3-8b H100,A800 --tokens 2T --deadline 30d --price 2.50,1.20 --max-gpus 1024
# slow
