fit 70B 64xA800 --reserve 0GiB --long
# slow
