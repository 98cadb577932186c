explain 70B 64xA800 why
# slow
