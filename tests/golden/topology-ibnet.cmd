explain 7B 4x8xH100 network --topology tests/data/topology/fat-tree.txt --plan tp=1,zero=1,mbs=1
