export deepseek-v3 512xH800 --to megatron --seq 4096 --batch 4096 --plan tp=4,pp=8,ep=16,dp=16,vp=2,uneven,mbs=1,zero=1,sp,recompute=selective:moe_act+layernorm --dispatcher deepep --force --dry-run
