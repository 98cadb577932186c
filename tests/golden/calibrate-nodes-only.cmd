calibrate tests/data/measured/h100-two-nodes.json
