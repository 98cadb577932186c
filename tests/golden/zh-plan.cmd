plan 70B 64xA800 --top 3 --lang zh
# slow
