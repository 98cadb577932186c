validate llama-3-8b 8xH100 --measurements tests/data/measured/h100-slow-products.json --tolerance 0.2
