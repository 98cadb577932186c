plan llama-3-8b 8xH100 --top 3 --format csv
