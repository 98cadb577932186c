export 70B 64xH100 --to jax --dry-run
