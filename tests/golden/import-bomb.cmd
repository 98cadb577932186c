import tests/fuzz/yaml/bomb.yaml --cluster 64xA100 --model 7B
