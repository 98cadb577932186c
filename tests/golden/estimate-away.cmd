estimate 7B 64xH100 --plan tp=1,zero=1 --tokens 1T --away 3h
