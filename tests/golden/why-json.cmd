explain 7B 1xH100 why --json
