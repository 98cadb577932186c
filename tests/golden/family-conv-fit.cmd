fit lfm2-8b-a1b 16xH100 --framework fsdp2-hf --show verdict
