import tests/import/trainer.sh tests/import/trainer-auto.json --cluster 16xH100
