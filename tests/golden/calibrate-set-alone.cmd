calibrate tests/data/measured/h100-compute.json --cluster 8xH100
