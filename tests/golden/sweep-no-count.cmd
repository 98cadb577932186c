sweep 70B H100
