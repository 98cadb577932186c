explain 7B 8xA100 weights
