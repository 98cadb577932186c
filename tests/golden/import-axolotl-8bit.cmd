import tests/import/axolotl-8bit.yaml --cluster 8xH100
