import tests/import/neox-sparse.yml --cluster 16xA100
