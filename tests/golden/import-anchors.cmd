import tests/import/anchors.yaml --cluster 64xA100 --model 7B
