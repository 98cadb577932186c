explain 70B 512xH100 network --oversubscription 4 --plan tp=4,pp=4,vp=10,mbs=1,zero=1,recompute=selective:layernorm
