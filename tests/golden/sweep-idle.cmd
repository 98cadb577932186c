sweep 70B H100 --gpus 96..160:8 --batch 512 --idle
# slow
