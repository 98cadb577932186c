import tests/import/guessed.sh --cluster 16xH100
# slow
