explain 70B 64xA800 why --not tp=4
# slow
