estimate deepseek-v3.2 1024xH200 --plan tp=8,pp=16,ep=64,zero=1,mbs=1,recompute=full --show memory
