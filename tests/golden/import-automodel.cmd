import tests/import/automodel.yaml --cluster 8xH100 --long
