import tests/import/follow-missing.sh --cluster 8xH100
