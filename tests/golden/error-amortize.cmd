fit 70B 64xA800 --tokens 2T --purchase-price 40000
