export qwen3-8b 16xA100 --to ms-swift-megatron --plan pp=2,order=tp-cp-ep-pp-dp --dry-run
