explain llama-3-8b 16xA800 sensitivity --draws 100 --seed 7 --plan tp=2,pp=1,mbs=4,zero=2 --seq 1024 --batch 32
# slow
