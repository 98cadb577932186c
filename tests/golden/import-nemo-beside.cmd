import tests/import/nemo-beside.yaml --cluster 8xH100
