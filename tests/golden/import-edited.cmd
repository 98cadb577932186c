import tests/import/edited.sh --cluster 8xH100
