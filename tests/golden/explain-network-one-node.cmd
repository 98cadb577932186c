explain 7B 8xH100 network --plan tp=1,zero=1,mbs=1
