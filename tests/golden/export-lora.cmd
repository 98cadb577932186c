export llama-3-8b 8xA100 --lora r=16,targets=q+v,base=nf4,dropout=0.05,train=head --plan zero=2,recompute=full --to llama-factory --seq 4096 --batch 64 --framework deepspeed-hf --dry-run
