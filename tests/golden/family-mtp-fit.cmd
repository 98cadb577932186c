fit deepseek-v3 2048xH800 --framework generic --mtp 1 --show memory
# slow
