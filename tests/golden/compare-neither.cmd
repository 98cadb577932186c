explain 70B 64xA800 --compare tp=1,zero=3 --with tp=1
