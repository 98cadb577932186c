import tests/import/swift-whole.sh --cluster 2xH100
