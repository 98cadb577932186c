fit 70B 2xA800 --color always
