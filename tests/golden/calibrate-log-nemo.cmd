calibrate --runs tests/data/logs/nemo.log tests/data/logs/nemo-bar.log --model llama-3-8b --cluster 16xH100 --seq 8192 --batch 128 --plan tp=2,dp=8,mbs=1,zero=1,sp
