sweep 70B H100 --deadline 30d
