fit kimi-linear-48b-a3b 64xH100 --show verdict
