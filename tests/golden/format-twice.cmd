fit 70B 64xA800 --json --format md
