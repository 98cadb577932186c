explain memory deepseek-v3 2048xH800 --framework generic --mtp 1 --plan tp=1,pp=16,ep=64,vp=2,schedule=dualpipe-v,zero=1,uneven,recompute=full
