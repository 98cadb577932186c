import tests/import/deepspeed.json --cluster 64xA100 --model 7B --seq 4096 --change 1 --write -
