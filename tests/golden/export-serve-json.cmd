export 8B 8xH100 --to vllm --format json
