fit 70B 2x128xTPU-v5p --long
