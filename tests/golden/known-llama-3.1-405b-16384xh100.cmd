# arXiv:2407.21783 table 4: MFU 43 % with 8,192 and 41 % with 16,384 GPUs
estimate llama-3.1-405b 16384xH100 --framework generic --seq 8192 --batch 2048 --plan tp=8,pp=16,vp=4,mbs=1,zero=1,sp
