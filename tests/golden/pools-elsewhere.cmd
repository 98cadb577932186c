estimate 7B 8xA800+8xH100 --plan tp=2
