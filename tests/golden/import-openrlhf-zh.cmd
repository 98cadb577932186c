import tests/import/openrlhf.sh --cluster 16xH100 --lang zh
