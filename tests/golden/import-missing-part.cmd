import tests/import/phi-3-small.yaml --cluster 8xH100
