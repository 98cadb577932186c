export 70B 64xH100 --to nanotron --dry-run
