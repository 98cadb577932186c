export tests/data/models/bart-large.json 8xH100 --to llama-factory --seq 1024 --batch 64 --dry-run
