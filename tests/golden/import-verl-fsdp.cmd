import tests/import/verl-fsdp.sh --cluster 8xH100
