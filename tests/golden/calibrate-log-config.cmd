calibrate --runs tests/data/logs/titan.log --cluster 16xH100
