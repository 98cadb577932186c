import tests/import/nanotron.yaml --cluster 48xH100
