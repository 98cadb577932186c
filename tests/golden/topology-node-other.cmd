estimate 7B 4x8xH100 --topology tests/data/topology/node.xml --plan tp=1
