import tests/import/neox-gmlp.yml --cluster 8xH100
