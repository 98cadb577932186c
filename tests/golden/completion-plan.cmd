completion words -- fit 7B 8xA100 --pin tp=8,s
