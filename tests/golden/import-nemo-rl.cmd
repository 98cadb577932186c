import tests/import/rl/sft.yaml --cluster 8xH100
