fit 7B 8xA800 --freeze embeddings,head --show memory,time
