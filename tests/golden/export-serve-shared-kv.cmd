export gemma-4-e4b 8xH100 --to tensorrt-llm --seq 8192 --dry-run
