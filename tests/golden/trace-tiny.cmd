trace 7B 8xA100 --plan tp=4,pp=2 --batch 2 --seq 1024
