calibrate --runs tests/import/megatron.log
