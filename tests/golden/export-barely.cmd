export llama-3-70b 64xA800 --to megatron --plan tp=2,pp=4,dp=2,cp=4,mbs=1,zero=1,nosp,first=18,last=20,recompute=selective:layernorm,offload=optimizer --dry-run
