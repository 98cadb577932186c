import tests/import/slime.sh --cluster 8xH100
