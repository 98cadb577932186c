import tests/import/automodel-pipeline.yaml --cluster 8xH100
