export 7B 16xA800+8xH100 --to megatron --dry-run
