import tests/import/lone.sh --cluster 8xH100
