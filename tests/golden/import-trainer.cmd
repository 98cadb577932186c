import tests/import/trainer.sh --cluster 8xH100
