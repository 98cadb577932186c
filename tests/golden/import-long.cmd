import tests/import/megatron.sh --cluster 64xA100 --long
