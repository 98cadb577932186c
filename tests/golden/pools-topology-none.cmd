assign - 16xA100+8xH100 --topology A100=tests/data/topology/leaves.conf,H200=x.conf --oversubscription 2
