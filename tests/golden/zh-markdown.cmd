fit 70B 8xA800 --format md --long --lang zh
# slow
