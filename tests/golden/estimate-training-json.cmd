estimate llama-2-7b 8xA800 --plan tp=2,pp=2 --tokens 1T --spares 1 --price 1.50 --json
