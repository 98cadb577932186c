import tests/import/lit-layers.yaml --cluster 4xH100
