calibrate --runs tests/data/logs/none.log --model llama-3-8b --cluster 16xH100 --seq 8192 --batch 128 --plan dp=16,zero=3
