export 70B 64xH100 --to bridge --dry-run
