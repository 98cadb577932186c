import tests/import/contradiction.sh --cluster 64xA100
