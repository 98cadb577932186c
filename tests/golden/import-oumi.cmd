import tests/import/oumi.yaml --cluster 8xH100
