estimate gemma-4-e2b 8xH100 --plan pp=2,dp=4
