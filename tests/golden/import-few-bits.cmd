import tests/import/factory-few-bits.yaml --cluster 8xH100
