export llama-3.1-8b 8xH100 --to torchtune --seq 8192 --batch 64 --plan dp=8,mbs=2,zero=3,recompute=full --dry-run
