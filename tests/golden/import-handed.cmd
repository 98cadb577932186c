import tests/import/handed.py --function a_pretrain_16gpu_fp8_config --cluster 16xH100
