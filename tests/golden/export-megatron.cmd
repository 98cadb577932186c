export 70B 64xA800 --to megatron --dry-run
