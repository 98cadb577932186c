fit 7B 64xH100 --topology tests/data/topology/leaves.conf
