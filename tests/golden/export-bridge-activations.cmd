export llama-3-8b 8xH100 --to bridge --plan mbs=1,zero=1,offload=activations:0.25 --seq 2048 --launcher torchrun --force --dry-run
