plan 70B 2xA800 --top 3
