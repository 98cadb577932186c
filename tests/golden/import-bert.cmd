import tests/import/bert.sh --cluster 8xH100 --long
