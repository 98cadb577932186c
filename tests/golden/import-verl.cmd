import tests/import/verl.sh --cluster 32xA100 --seq 4096 --batch 512
