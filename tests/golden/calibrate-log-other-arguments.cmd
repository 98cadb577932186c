calibrate --runs tests/import/megatron.log --cluster 64xA100 --batch 256
