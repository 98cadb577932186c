export llama-3-8b 8xA100 --lora r=16,targets=q+v,base=nf4,dropout=0.05,train=head --plan zero=2,recompute=full --to hf-deepspeed --seq 4096 --batch 64 --dry-run
