calibrate tests/data/measured/h100-compute.json --json
