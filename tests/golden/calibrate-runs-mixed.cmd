calibrate --runs tests/data/measured/runs-mixed.csv
