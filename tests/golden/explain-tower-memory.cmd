explain tests/data/towers/smolvlm-256m.json 1xA100 memory --framework ddp --seq 4096 --batch 16 --images 32 --plan mbs=4,recompute=full
