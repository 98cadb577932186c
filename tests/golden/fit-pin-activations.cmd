fit llama-3-8b 8xH100 --seq 8192 --batch 128 --pin tp=1,mbs=4,offload=activations:0.5 --long
