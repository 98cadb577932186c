import tests/import/torchtitan.toml --cluster 64xH100 --model llama-3-8b --write -
