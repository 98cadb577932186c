export llama-3-8b 1xB200 --to vllm --dtype nvfp4 --dry-run
