calibrate tests/data/measured/h100-chaos.json
