# arXiv:2205.05198 table 5: 71.49 s
estimate megatron-1t 512xA100 --framework megatron-2023 --dtype fp16 --attention eager --dropout --seq 2048 --batch 512 --plan tp=8,pp=64,mbs=1,zero=0,sp,recompute=selective
