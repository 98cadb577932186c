report 8B 8xH100 --format text
