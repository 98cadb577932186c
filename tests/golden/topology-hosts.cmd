explain 7B 4x8xH100 network --topology tests/data/topology/leaves.conf --oversubscription 16 --hosts gpu001,gpu018,gpu002,gpu019 --plan tp=4,pp=2,mbs=1
