fit 70B 512xH100 --tokens 2T --price 2.50
# slow
