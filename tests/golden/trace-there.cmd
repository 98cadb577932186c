trace 7B 8xA100 --plan tp=4,pp=2 -o tests/golden/trace-there.cmd
