import tests/import/factory-images.yaml --cluster 8xH100
