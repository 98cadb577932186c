explain 70B 64xH800 error --plan tp=8,pp=4,vp=5,mbs=1,zero=1 --seq 8192 --batch 512
