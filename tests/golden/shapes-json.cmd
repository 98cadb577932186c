shapes 7B 8xA800 --plan zero=3 --framework fsdp2 --json
