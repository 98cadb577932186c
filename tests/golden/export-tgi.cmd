export 70B 8xA100 --to tgi --dry-run
