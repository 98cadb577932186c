fit gemma-4-e2b 8xA100 --framework fsdp2-hf --seq 4096 --batch 64
