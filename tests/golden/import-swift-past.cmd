import tests/import/swift-past.sh --cluster 4xA100
