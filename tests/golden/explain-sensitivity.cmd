explain 70B 64xA800 sensitivity --draws 200
# slow
