import tests/import/factory-tower.yaml --model tests/data/towers/qwen2.5-vl-7b.json --cluster 8xA100 --long
