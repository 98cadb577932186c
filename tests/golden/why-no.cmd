explain 70B 2xA800 why
