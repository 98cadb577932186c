export nemotron-h-8b 8xH100 --to megatron --plan tp=2,zero=1,mbs=1 --dry-run --force
