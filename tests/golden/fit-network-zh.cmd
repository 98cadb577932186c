fit mixtral-8x7b 64xH100 --fabric ethernet-10 --framework fsdp2 --pin tp=1,pp=1,ep=1 --show network --lang zh
