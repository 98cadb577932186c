calibrate --runs tests/data/measured/runs-empty.csv
