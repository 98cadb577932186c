import tests/import/torchtitan.py --cluster 64xH100 --model llama-2-70b --batch 512
