explain tests/data/models/bart-large.json 8xH100 memory --framework fsdp2-hf --seq 1024 --batch 64 --plan dp=8,zero=3
