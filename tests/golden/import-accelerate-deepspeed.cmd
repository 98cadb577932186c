import tests/import/accelerate-deepspeed.yaml --cluster 8xA100 --model 7B --seq 4096
