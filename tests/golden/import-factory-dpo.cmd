import tests/import/factory-dpo.yaml --cluster 8xH100
