export ling-mini-2.0 16xH100 --to megatron --plan ep=8,zero=1,mbs=1 --dry-run --force
