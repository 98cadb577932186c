fit llama-3-8b 8xH100 --color always --long
