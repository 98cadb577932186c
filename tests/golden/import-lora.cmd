import tests/import/lora.yaml --cluster 8xA100
