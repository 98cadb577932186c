assign - 8xA800
