import tests/import/verl-ulysses.sh --cluster 16xH100
