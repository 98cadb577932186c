fit 7B 8xA800+8xH100 --pin tp=2
