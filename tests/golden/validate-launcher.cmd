validate 70B 64xH100 --plan tp=8,pp=2 --dtype fp8 --launcher 'srun -N8 --ntasks-per-node=8' --dry-run --json
