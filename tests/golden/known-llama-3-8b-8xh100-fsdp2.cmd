# pytorch/torchtitan benchmarks: 5,762 tokens/s on 500 W parts with two sequences
estimate llama-3.1-8b 8xH100 --framework fsdp2 --seq 8192 --batch 16 --plan dp=8,mbs=2,zero=3,recompute=selective
