explain 70B 64xA800 memory --seed 2
