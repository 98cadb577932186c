fit 7B 8xA100 --images 1
