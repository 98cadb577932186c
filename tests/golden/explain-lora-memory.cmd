explain 13B 1xA100 memory --framework ddp --lora r=64,base=nf4,dropout=0.05 --seq 2048 --batch 16
