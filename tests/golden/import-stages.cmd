import tests/import/stages.sh --cluster 16xA100
