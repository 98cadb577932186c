explain 7B 8xA100 --compare tp=8 --with tp=2,zero=3 --json
