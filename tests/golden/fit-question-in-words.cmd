will 70B fit on '64 A800s?'
# slow
