estimate tests/data/towers/llava-1.5-7b.json 8xH100 --plan tp=2,pp=2,zero=1 --seq 4096 --batch 64
