calibrate tests/data/measured/h100-compute.json tests/data/measured/h100-two-nodes.json
