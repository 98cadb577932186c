import tests/import/automodel-packed.yaml --cluster 8xH100
