export 8B 8xH100 --to nemo --dry-run
