export mamba-2.8b 8xH100 --to hf-fsdp --plan zero=3,mbs=1,recompute=full --dry-run --force
