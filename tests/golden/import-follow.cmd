import tests/import/follow.sh --cluster 8xH100
