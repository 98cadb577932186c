calibrate --runs tests/data/measured/runs-wrong.csv
