which is faster for 70B, 64 A800 or 32 H100
# slow
