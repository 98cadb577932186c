calibrate --runs tests/data/measured/runs-networks.csv
