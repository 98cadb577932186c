import tests/import/zero-one-adam.json --model gpt3-1.3b --cluster 2x8xA100 --seq 2048
