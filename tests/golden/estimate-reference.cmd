estimate llama-3-8b 8xH100 --plan zero=3,mbs=2,recompute=full --framework deepspeed-hf --reference self --seq 4096 --batch 128
