export llama-3-8b 16xA100 --to verl --plan zero=3 --dry-run
