import tests/import/factory-qlora.yaml --cluster 8xA100
