export llama-3.2-1b 2x8xA100 --to lightning-ddp --compress powersgd=2 --dry-run
