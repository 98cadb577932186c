estimate ling-mini-2.0 16xH100 --plan ep=8,zero=1,mbs=1 --show memory
