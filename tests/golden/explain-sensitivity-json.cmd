explain 7B 1xH100 sensitivity --draws 100 --json
