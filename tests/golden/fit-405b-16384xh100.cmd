fit 405b 16384xH100 --tokens 15T --long
