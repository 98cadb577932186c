import tests/import/accelerate.yaml --cluster 16xH100
