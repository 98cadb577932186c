fit 70B 64xA800 --sure 0.999 --within 0.05 --objective roomiest
# slow
