fit 70B 64xA800 --tokens 2T --storage 1KB/s
