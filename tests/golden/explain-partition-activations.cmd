explain 7B 8xA800 memory --framework deepspeed --plan tp=8,nosp,mbs=64,recompute=full --batch 64 --partition-activations
