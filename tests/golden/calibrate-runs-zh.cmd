calibrate --runs tests/data/measured/runs.csv --lang zh
