export deepseek-v3 16xH100 --to vllm --dtype fp8 --seq 32768 --dry-run
