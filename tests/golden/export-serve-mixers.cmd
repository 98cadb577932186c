export qwen3-next-80b-a3b 8xH100 --to vllm --seq 32768 --dry-run
