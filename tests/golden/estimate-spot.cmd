estimate 7B 64xH100 --plan tp=1,zero=1 --tokens 1T --price 2 --preempted 2d --away 3h --notice 2min
