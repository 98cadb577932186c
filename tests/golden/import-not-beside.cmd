import tests/import/own.yaml --cluster 8xA100
