import tests/import/neox.yml --cluster 32xA100
