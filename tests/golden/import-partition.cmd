import tests/import/partition.sh --cluster 32xA100
