import tests/import/follow-swift.sh --cluster 16xH100
