fit 7B 16xA100+8xH100 --topology tests/data/topology/leaves.conf
