export 7B 16xA800+8xH100 --to flagscale --batch 1024 --dry-run
