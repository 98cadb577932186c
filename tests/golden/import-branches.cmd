import tests/import/branches.sh --cluster 8xA100
