fit 70B 64xA800 --framework any --long
# slow
