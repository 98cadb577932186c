import tests/import/tune.yaml --cluster 8xA100
