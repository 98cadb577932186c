advise 70B 64xA800
