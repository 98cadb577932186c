explain 70B 256xTPU-v5p network
