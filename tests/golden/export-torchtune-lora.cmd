export qwen2.5-7b 1xRTX-4090 --to torchtune --seq 4096 --batch 16 --lora r=16,base=nf4 --plan mbs=1,recompute=full,offload=activations --dry-run
