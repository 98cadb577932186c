import tests/import/nanotron.yaml --cluster 64xH100 --write -
