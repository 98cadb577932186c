export llama-3-70b 64xA100 --to verl --dry-run
