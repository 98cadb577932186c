sweep 70B H100,A800 --gpus 64..256 --pareto
# slow
