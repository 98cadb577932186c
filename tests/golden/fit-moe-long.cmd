fit mixtral-8x7b 64xH100 --seq 4096 --batch 1024 --long
