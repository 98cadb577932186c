fit llama-3.1-405b 512xA800 --calibration tests/data/measured/a800-runs.json
