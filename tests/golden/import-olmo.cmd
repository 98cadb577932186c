import tests/import/olmo.yaml --cluster 8xH100
