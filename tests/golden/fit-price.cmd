fit 7B 8xA100 --price 2
