# no measurement; the plan of NVIDIA/Megatron-LM examples/mixtral
estimate mixtral-8x7b 128xH100 --dispatcher alltoall --seq 4096 --batch 256 --plan tp=1,pp=4,vp=8,ep=8,mbs=1,zero=1
