explain 70B 64xA800 why --not zero=3,pp=4
