explain memory mamba-2.8b 8xH100 --framework fsdp2-hf --plan zero=3,mbs=1,recompute=full
