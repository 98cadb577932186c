sweep 8B B200 --tokens 1T --deadline 64xH100 --find gpus --json
