calibrate --runs tests/data/logs/nanotron.log --model llama-3-8b --cluster 16xH100 --seq 8192 --batch 256 --plan tp=2,dp=8,mbs=1,zero=1,sp
