calibrate tests/data/measured/h100-beside.json
