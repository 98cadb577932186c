import tests/import/swift-grpo.sh --cluster 8xH100
