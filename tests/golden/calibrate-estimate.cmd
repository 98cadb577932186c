estimate llama-3-8b 8xH100 --plan tp=2 --calibration tests/data/measured/h100-calibration.json
