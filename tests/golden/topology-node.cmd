estimate 7B 4x2xH100 --topology tests/data/topology/node.xml --plan tp=1,zero=1,mbs=1
