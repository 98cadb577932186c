backtest tests/accuracy/runs.csv --source llm-foundry --what time --calibration tests/data/measured/h100-calibration.json
