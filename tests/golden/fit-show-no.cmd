fit 70B 8xA800 --show verdict,changes,next
# slow
