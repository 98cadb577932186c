sweep 8B H100 --tokens 1T --deadline 64xH100 --seq 4096,8192
