estimate 7B 8xA800 --plan tp=8 --show verdict,time
