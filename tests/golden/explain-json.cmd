explain llama-3-8b 8xH100 memory --framework fsdp2 --plan zero=3,recompute=selective --json
