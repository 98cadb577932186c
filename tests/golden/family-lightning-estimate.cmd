estimate tests/data/models/minimax-text-01.json 512xH100 --batch 512 --seq 8192 --framework generic --plan pp=8,ep=32,vp=1,zero=1,recompute=full --show memory
