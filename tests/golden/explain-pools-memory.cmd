explain 7B 16xA800+8xH100
