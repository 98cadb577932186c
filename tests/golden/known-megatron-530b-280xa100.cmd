# arXiv:2205.05198 table 5: 37.83 s
estimate megatron-530b 280xA100 --framework megatron-2023 --dtype fp16 --attention eager --dropout --seq 2048 --batch 280 --plan tp=8,pp=35,vp=3,mbs=1,zero=0,sp,recompute=selective
