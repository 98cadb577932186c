import tests/import/doubtful.sh --cluster 64xA100 --set TP=4
