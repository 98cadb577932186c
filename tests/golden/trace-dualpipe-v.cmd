trace 7B 8xA100 --framework generic --plan tp=4,pp=2,vp=2,schedule=dualpipe-v --batch 12 --seq 1024 --stage 1 --micro-batches 5
