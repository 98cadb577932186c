estimate gpt3-175b 1024xA100 --seq 2048 --batch 1536 --plan tp=8,pp=16,mbs=1,recompute=full
