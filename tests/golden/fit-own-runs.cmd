fit llama-3-70b 64xA800 --seq 8192 --batch 512 --calibration tests/data/measured/a800-runs.json
# slow
