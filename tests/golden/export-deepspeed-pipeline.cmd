export 70B 64xA100 --to deepspeed --plan tp=8,pp=4,zero=1,recompute=full --launcher slurm --dry-run
