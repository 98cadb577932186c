export 7B 8xH100 --to accelerate --launcher deepspeed --dry-run
