shapes 70B 64xA800 --plan tp=4,pp=4,cp=2
