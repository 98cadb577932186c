import tests/import/easy.sh --cluster 8xH100 --long
