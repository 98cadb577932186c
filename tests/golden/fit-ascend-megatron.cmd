fit 70B 64x910B --framework megatron
