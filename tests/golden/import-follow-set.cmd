import tests/import/follow-missing.sh --cluster 8xH100 --set distributed_type=MULTI_GPU
