import tests/import/flagscale-unlike.yaml --cluster 16xA800
