import tests/import/loop.sh --cluster 16xH100
