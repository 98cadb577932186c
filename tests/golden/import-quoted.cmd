import tests/import/quoted.sh --cluster 8xH100
