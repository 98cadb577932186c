import tests/import/trainer-auto.json --cluster 8xH100
