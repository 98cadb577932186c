import tests/import/factory-freeze.yaml --cluster 8xA100
