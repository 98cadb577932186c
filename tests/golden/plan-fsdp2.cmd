plan 7B 8xA800 --framework fsdp2 --top 4
