fit 70B 64xA800 --pin tp=8,zero=1,recompute=full --long
