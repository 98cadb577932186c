explain 70B 64xA800 why --not tp=8,zero=3
