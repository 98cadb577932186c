export tests/data/models/bart-large.json 8xH100 --to tgi --seq 1024 --dry-run
