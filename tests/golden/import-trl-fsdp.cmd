import tests/import/trl-fsdp.sh --cluster 8xH100
