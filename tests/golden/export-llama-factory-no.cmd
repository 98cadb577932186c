export qwen3-8b 8xA100 --to llama-factory --plan tp=2 --dry-run
