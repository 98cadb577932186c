fit 7B 16xA100+8xH100 --topology A100=tests/data/topology/leaves.conf,H100=tests/data/topology/fat-tree.txt --oversubscription 64
