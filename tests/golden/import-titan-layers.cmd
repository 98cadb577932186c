import tests/import/titan-layers.toml --cluster 8xH100
