plan 70B 64xA800
# slow
