export 7B 16xA100 --to megatron --plan pp=8,dp=2,first=2,last=6 --launcher mpirun --force --dry-run
