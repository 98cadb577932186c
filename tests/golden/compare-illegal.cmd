explain 70B 64xA800 --compare tp=8,pp=2,zero=3
