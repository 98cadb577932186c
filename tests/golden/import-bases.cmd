import tests/import/bases/run.yaml --cluster 8xH100
