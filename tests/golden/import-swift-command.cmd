import tests/import/swift-command.sh --cluster 8xH100
