calibrate tests/data/measured/h100-few.json
