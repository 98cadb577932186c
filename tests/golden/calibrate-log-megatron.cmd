calibrate --runs tests/data/logs/megatron.log --model llama-3-8b --cluster 16xH100 --seq 8192 --plan tp=2,dp=8,mbs=1,zero=1,sp
