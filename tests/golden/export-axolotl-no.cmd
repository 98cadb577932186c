export qwen3-8b 8xA100 --to axolotl --plan cp=2,zero=3 --dry-run
