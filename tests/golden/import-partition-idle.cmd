import tests/import/partition.sh --set TP=1 --cluster 32xA100
