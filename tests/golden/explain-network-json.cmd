explain 70B 64xH100 network --oversubscription 4 --leaf-nodes 4 --placement random --plan tp=8,pp=4,vp=5,mbs=1,zero=1 --json
