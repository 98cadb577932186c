import tests/import/branches.sh --cluster 8xA100 --set 1=2
