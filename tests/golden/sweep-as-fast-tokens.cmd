sweep 7B 64xH100 --find tokens --deadline 128xH100
