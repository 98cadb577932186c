import tests/import/trl-layers.py --cluster 4xA100
