import tests/import/flagscale.yaml --cluster 16xH100
