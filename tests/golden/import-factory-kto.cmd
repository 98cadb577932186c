import tests/import/factory-kto.yaml --cluster 8xH100
