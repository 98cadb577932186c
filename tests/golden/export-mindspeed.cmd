export qwen3-30b-a3b 32x910B --to mindspeed --seq 4096 --batch 256 --plan tp=2,pp=2,cp=2,ep=4,vp=2,sp,recompute=full,zero=1 --cp-comm a2a --launcher torchrun --dry-run
