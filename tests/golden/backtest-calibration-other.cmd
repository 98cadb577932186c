backtest tests/accuracy/runs.csv --source korthikanti22 --what time --calibration tests/data/measured/h100-calibration.json
