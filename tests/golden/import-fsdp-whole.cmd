import tests/import/whole.sh --cluster 8xA100
