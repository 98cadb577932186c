sweep 7B 16xA800+8xH100 --batch 512,1032 --format jsonl
# slow
