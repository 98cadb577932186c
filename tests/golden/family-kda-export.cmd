export kimi-linear-48b-a3b 64xH100 --to bridge --plan ep=8,zero=1,mbs=1,recompute=full --dry-run --force
