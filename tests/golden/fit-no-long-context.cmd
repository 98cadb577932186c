fit llama-3.1-8b 1xA100-40G --seq 131072 --batch 1 --long
