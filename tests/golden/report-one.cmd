report 7B 1xH100 --json
