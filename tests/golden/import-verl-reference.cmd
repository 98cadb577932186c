import tests/import/verl-reference.sh --cluster 16xH100
