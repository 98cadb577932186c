import tests/import/automodel-experts.yaml --cluster 8xH100
