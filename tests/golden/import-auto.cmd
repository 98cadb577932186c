import tests/import/zero3_auto.json --cluster 16xA100 --model 7B --seq 4096
