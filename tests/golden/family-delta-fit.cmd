fit qwen3-next-80b-a3b 64xH100 --show verdict
