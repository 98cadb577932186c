calibrate tests/data/measured/unknown-gpu.json
