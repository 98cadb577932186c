import tests/import/factory-v1.yaml --cluster 8xH100
