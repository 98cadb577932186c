backtest tests/accuracy/runs.csv --what rank --sets tests/accuracy/memory.csv
