import tests/import/verl-grpo.sh --cluster 8xH100
