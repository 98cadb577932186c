fit nemotron-h-8b 8xH100 --show verdict
