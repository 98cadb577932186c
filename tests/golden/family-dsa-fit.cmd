fit deepseek-v3.2 1024xH200 --show verdict
# slow
