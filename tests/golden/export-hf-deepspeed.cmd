export llama-3-8b 16xA100 --to hf-deepspeed --plan zero=3,offload=optimizer+parameters,recompute=full --dry-run
