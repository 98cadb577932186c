explain 7B 16xA800+8xH100 network --batch 1024 --json
