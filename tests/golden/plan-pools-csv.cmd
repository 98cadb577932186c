plan 70B 16xA800+8xH100 --batch 64 --format csv
