explain mixtral-8x7b 64xH100 why
# slow
