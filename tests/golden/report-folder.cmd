report 70B 8xA100 -o tests/golden
