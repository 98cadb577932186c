import tests/import/swift-whole.sh --cluster 1xH100
