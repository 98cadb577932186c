import tests/import/lingua.yaml --cluster 8xH100
