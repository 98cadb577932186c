estimate phi-3-small 8xA100 --framework fsdp2 --plan dp=8,mbs=1,zero=3 --show memory,time
