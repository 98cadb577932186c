export qwen3-8b 8xA100 --to ms-swift --plan recompute=selective --dry-run
