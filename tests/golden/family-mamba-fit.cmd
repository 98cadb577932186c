fit mamba-2.8b 8xH100 --framework fsdp2-hf --show verdict
