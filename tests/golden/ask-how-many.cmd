how many A100 for 70B
# slow
