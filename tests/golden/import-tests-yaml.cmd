import tests/import/tests.yaml --cluster 8xA100
