fit llama-3-8b 8xH100 --show network
