export deepseek-v2-lite 16xH100 --to megatron --seq 4096 --batch 256 --plan tp=1,pp=2,ep=8,dp=8,mbs=1,zero=1 --force --dry-run
