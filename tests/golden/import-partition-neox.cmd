import tests/import/partition.yml --cluster 32xA100
