import tests/import/llava.sh --cluster 8xH100 --long
