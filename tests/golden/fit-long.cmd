fit 70B 64xA800 --long
# slow
