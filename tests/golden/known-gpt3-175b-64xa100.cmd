# arXiv:2205.05198 table 5: 13.75 s, sequence parallelism, selective recomputation
estimate gpt3-175b 64xA100 --framework megatron-2023 --dtype fp16 --attention eager --dropout --seq 2048 --batch 64 --plan tp=8,pp=8,vp=3,mbs=1,zero=0,sp,recompute=selective
