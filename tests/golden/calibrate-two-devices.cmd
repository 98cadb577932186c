calibrate tests/data/measured/h100-few.json tests/data/measured/h200-few.json
