estimate llama-3.1-405b 16384xH100 --plan tp=4,pp=32,dp=32,cp=4,vp=4,mbs=1,zero=1,sp --tokens 15.6T --gpu-mtbf 100h
