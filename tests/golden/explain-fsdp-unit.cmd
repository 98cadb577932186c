explain 7B 8xA100 --framework fsdp1 --batch 64 --plan zero=3,mbs=1,recompute=full --fsdp-unit 100M
