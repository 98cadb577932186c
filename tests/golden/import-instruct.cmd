import tests/import/instruct.sh --cluster 8xH100
