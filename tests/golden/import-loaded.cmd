import tests/import/handed.py --function a_pretrain_16gpu_bf16_config --cluster 16xH100
