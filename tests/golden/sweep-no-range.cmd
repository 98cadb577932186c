sweep 70B H100 --gpus 8-64
