fit 70B 64xA800 --objective fastest
# slow
