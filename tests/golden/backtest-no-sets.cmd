backtest tests/accuracy/runs.csv --what rank
