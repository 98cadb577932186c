import tests/import/alpaca.sh --cluster 4xA100
