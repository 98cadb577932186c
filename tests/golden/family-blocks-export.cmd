export phi-3-small 8xA100 --to hf-fsdp --plan dp=8,mbs=1,zero=3,recompute=full --dry-run
