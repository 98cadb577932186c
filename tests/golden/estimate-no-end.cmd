estimate llama-3.1-405b 16384xH100 --plan tp=8,pp=16,dp=128,vp=2,sp,zero=1 --seq 8192 --batch 2048 --tokens 15.6T --gpu-mtbf 100h
