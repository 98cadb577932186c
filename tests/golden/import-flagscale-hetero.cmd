import tests/import/flagscale-hetero.yaml --cluster 16xA800
