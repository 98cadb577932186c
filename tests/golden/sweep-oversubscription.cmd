sweep llama-3-8b 32xH100 --oversubscription 1,4 --leaf-nodes 2 --seq 8192 --batch 512
