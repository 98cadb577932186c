explain tests/data/models/gemma-3n-e4b-text.json 8xH100 memory --framework fsdp2-hf --seq 4096 --batch 64 --plan dp=8,zero=3
