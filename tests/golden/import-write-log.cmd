import tests/import/megatron.log --cluster 64xA100 --write -
