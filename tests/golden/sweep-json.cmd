sweep llama-3-8b 8..16xH100 --batch 64 --json
