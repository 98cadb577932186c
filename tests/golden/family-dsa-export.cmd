export deepseek-v3.2 1024xH200 --to megatron --plan tp=8,pp=16,ep=64,zero=1,mbs=1,recompute=full --dry-run --force
