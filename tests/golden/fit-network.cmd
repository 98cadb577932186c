fit llama-3-8b 64xH100 --show network
