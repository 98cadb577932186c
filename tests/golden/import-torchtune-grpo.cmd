import tests/import/torchtune-grpo.yaml --cluster 8xH100
