import tests/import/swift.sh --cluster 8xA100
