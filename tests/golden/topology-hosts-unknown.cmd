fit 7B 4x8xH100 --topology tests/data/topology/leaves.conf --oversubscription 16 --hosts gpu001,gpu099,gpu002,gpu019
