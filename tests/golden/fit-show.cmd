fit 70B 64xA800 --show time,memory
# slow
