import tests/import/grpo.sh --cluster 8xH100
