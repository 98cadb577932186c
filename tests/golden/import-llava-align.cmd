import tests/import/llava-align.sh --cluster 8xH100 --long
