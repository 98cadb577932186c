export 70B 64xA800 --to megatron --format csv
