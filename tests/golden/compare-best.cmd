explain mixtral-8x7b 64xH100 --compare tp=2,pp=4,ep=8,zero=1
