import tests/import/deepspeed.hjson --cluster 64xA100 --model 7B --seq 4096
