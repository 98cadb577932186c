export llama-3-8b 8xA100 --lora r=16,dora --plan zero=3 --to hf-fsdp --seq 4096 --batch 64 --dry-run
