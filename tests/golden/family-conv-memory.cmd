explain memory lfm2-8b-a1b 16xH100 --framework fsdp2-hf --plan zero=3,mbs=1,recompute=full
