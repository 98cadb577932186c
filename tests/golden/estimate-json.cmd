estimate llama-2-7b 8xA800 --plan tp=2,pp=2 --json
