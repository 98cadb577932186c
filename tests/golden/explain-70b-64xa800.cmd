explain 70B 64xA800 memory --plan tp=8,pp=4,recompute=selective:core_attn+layernorm
