estimate nemotron-h-8b 8xH100 --plan tp=2,zero=1,mbs=1 --show memory
