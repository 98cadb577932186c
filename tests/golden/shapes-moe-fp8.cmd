shapes mixtral-8x7b 64xH100 --dispatcher alltoall --plan tp=2,pp=2,ep=4,zero=1 --dtype fp8
