import tests/import/own.yaml --cluster 8xA100 --set zero_optimization.stage=2,bf16=true
