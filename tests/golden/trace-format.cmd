trace 70B 64xA800 --format csv
