export llama-3-8b 8xH100 --to megatron --dtype fp8 --plan mbs=1,zero=3 --launcher torchrun --force --dry-run
