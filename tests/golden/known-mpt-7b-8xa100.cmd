# mosaicml/llm-foundry scripts/train/benchmarking: MFU 58 to 62 % at 2,048 tokens
estimate mpt-7b 8xA100 --framework llm-foundry --seq 2048 --batch 2048 --plan dp=8,mbs=8,zero=3,recompute=full
