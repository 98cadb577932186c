import tests/import/titan-2024.toml --cluster 32xA100 --model llama-3-8b
