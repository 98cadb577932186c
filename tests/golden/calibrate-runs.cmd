calibrate --runs tests/data/measured/runs.csv
