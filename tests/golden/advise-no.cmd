advise 70B 2xA800
