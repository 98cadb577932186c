export lfm2-8b-a1b 16xH100 --to hf-fsdp --plan zero=3,mbs=1,recompute=full --dry-run --force
