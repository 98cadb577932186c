export llama-3-8b 1xH100 --to tgi --dtype fp8 --dry-run
