import tests/import/unknown.sh --cluster 64xA100
