import tests/import/factory.yaml --cluster 16xA100
