import tests/import/lit.yaml --cluster 1xH100 --long
