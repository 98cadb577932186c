explain 70B 64xA800 --compare tp=8,pp=2 --with tp=4,pp=4,cp=2
