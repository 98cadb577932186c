export 70B 16xH100 --to tensorrt-llm --seq 8192 --dry-run
