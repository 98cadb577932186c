export 7B 16xA100 --to deepspeed --plan zero=3,offload=optimizer:0.5,recompute=full --dry-run
