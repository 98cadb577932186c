import tests/import/foundry.yaml --cluster 8xA100 --long
