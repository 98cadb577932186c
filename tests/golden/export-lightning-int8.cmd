export llama-3.2-1b 8xA100 --to lightning-ddp --compress int8 --dry-run
