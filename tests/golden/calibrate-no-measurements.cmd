calibrate README.md
