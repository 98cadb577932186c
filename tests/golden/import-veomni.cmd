import tests/import/veomni.yaml --cluster 8xH100 --long
