explain 7B 8xA800 error --json
