import tests/import/trainer.sh tests/import/trainer-auto.json --cluster 8xH100 --set gradient_accumulation_steps=2
