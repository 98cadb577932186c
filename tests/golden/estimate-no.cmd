estimate 70B 64xA800 --plan tp=1,pp=1
