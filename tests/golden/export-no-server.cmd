export 405b 8xA100 --to tgi --dry-run
