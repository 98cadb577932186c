export 70B 64xH100 --to accelerate --plan tp=8,pp=2 --dry-run
