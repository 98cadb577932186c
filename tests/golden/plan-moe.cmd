plan deepseek-v3 2048xH800 --seq 4096 --batch 15360 --top 5
# slow
