fit 7B 16xA100+8xH100 --batch 512 --tokens 1e11 --price 2 --preempted 2d --away 3h
# slow
