assign - 8xA800+8xH100
