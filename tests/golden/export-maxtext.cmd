export deepseek-v3 2x128xTPU-v6e --to maxtext --seq 4096 --batch 1024 --plan tp=2,cp=2,ep=16,etp=2,sp,zero=3,shard=64,recompute=full --force --dry-run
