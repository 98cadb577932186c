estimate 70B 48xA800 --plan tp=3
