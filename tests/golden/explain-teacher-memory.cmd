explain llama-3-8b 16xH100 memory --plan tp=4,pp=2,zero=1,mbs=1,sp --teacher llama-3-70b --seq 4096 --batch 128
