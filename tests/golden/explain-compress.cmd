explain 1.5B 4x8xA100 --framework ddp --plan zero=0,mbs=1 --batch 32 --compress powersgd=4
