import tests/import/verl-sft.sh --cluster 8xH100
