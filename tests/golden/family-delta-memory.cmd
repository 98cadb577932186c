explain memory qwen3-next-80b-a3b 64xH100 --plan ep=16,zero=1,mbs=1,recompute=full
