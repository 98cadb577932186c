explain 70B 64xA800 --with tp=8
