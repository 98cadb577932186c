export 7B 16xA100 --to deepspeed --plan tp=8,nosp,zero=1,recompute=full --partition-activations --dry-run
