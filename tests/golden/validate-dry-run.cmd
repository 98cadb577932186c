validate llama-3-8b 8xH100 --plan tp=2,zero=1 --dry-run
