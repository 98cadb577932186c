explain llama-3-8b 16xH100 why --framework fsdp2
