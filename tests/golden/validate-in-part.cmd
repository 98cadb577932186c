validate llama-3-8b 8xH100 --measurements tests/data/measured/h100-compute.json,tests/data/measured/h100-slow-products.json --plan tp=1,zero=3
