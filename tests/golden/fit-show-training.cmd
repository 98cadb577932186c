fit 7B 64xA800 --tokens 2T --show time --format md
