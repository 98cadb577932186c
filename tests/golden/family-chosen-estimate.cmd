estimate minimax-m3 256xH200 --plan tp=2,pp=4,dp=32,ep=32,zero=1,mbs=1,recompute=full --show memory
