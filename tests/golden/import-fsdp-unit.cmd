import tests/import/wrap.sh --cluster 8xA100
