calibrate --runs tests/data/logs/metrics.csv --model llama-3-8b --cluster 8xH100 --seq 8192 --batch 32 --framework fsdp2 --plan zero=3,recompute=full
