# arXiv:2412.19437 sections 3.1 and 4.2: 180,000 H800 hours for 1T tokens, 19.9 s a step of 15,360 sequences
estimate deepseek-v3 2048xH800 --framework generic --dtype fp8 --dispatcher deepep --moe-overlap --mtp 1 --seq 4096 --batch 15360 --plan pp=16,vp=2,ep=64,mbs=1,zero=1,schedule=dualpipe-v,uneven,recompute=selective:layernorm+mla_up_proj+moe_act
