sweep 70B 8..256xH100,64..256xA800 --tokens 2T --price 2.50,1.20
# slow
