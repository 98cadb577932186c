# slow
fit minimax-m3 256xH200 --show verdict
