calibrate --runs tests/data/logs/trainer.log --model llama-3-8b --seq 8192
