fit 70B 64xA800 --tokens 2T --price 1.2 --lang zh
# slow
