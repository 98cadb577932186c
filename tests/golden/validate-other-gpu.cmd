validate llama-3-8b 8xA100 --measurements tests/data/measured/h100-slow-products.json
