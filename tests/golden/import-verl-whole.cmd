import tests/import/verl-whole.sh --cluster 8xH100
