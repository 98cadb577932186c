fit llama-3-8b 8xH100 --format md --long
