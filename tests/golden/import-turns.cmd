import tests/import/turns.sh --cluster 8xH100
