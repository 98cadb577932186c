fit 70B 64xA800 --tokens 2T --restart 60d
