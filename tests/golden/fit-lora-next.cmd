fit 13B 1xA100 --lang zh
