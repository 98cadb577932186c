export gemma-3-27b 8xH100 --to vllm --seq 131072 --dry-run
