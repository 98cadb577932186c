calibrate --runs tests/data/logs/lightning.log --model llama-3-8b --cluster 8xH100 --seq 8192 --batch 32 --framework fsdp2 --plan mbs=1,zero=3,recompute=full --lang zh
