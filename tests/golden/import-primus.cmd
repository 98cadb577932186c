import tests/import/primus.yaml --cluster 16xH100
