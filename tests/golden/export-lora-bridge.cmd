export llama-3-8b 8xA100 --lora r=16,targets=attention,dropout=0.05 --plan tp=2 --to bridge --seq 4096 --batch 64 --dry-run
