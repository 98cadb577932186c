plan llama-3-8b 8xH100 --batch 16 --seq 4096 --pin zero=1,vp=1,tp=2,pp=1 --verify --top 2
# slow
