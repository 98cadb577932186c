fit 7B 64xTPU-v5e --framework megatron-core
