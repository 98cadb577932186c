fit 7B 16xA100 --idle 1 --objective fastest --pin zero=1
