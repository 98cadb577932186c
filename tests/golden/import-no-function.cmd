import tests/import/functions.py --cluster 8xA100 --model 7B --function large
