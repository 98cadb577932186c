estimate deepseek-v3 2048xH800 --plan tp=2,pp=16,ep=8,mbs=1,zero=1,recompute=selective:mla_up_proj+layernorm+moe_act
