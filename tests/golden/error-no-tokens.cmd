fit 70B 64xA800 --restart 5min
