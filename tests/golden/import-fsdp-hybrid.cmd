import tests/import/fsdp-hybrid.py --model llama-3.2-1b --cluster 2x8xA100
