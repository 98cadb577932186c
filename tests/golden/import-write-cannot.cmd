import tests/import/nemo.yaml --cluster 32xA100 --write -
