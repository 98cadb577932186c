import tests/import/arguments.sh --cluster 8xA100
