fit 7B 8xA100 --freeze vision
