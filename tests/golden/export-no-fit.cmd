export 70B 2xA100 --to megatron --dry-run
