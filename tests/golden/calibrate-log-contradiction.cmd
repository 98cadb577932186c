calibrate --runs tests/data/logs/contradiction.log --model llama-3-8b --cluster 16xH100 --seq 8192 --batch 128 --plan pp=2,dp=8,mbs=1,zero=1,recompute=full
