explain 70B 64xA800 --compare tp=7
