sweep 70B H100 --tokens 1T --deadline 8xH100 --find gpus
