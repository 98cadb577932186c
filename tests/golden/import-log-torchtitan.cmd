import tests/import/torchtitan.toml tests/data/logs/torchtitan.log --cluster 16xH100
