import tests/import/functions.py:small --cluster 8xA100 --model 7B
