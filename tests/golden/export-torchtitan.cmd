export 70B 64xH100 --to torchtitan --dry-run
