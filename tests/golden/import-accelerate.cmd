import tests/import/accelerate.yaml tests/import/accelerate.sh --cluster 16xH100 --model llama-3-8b --seq 4096
