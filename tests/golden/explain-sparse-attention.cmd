explain llama-2-7b 8xA100 --framework deepspeed --dtype fp16 --sparse-attention fixed --plan tp=2,dp=4,mbs=1,zero=1 memory
