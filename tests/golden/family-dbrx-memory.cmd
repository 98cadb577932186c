explain memory dbrx 64xH100 --plan tp=2,pp=4,dp=4,cp=2,ep=16,zero=1,mbs=1,recompute=full
