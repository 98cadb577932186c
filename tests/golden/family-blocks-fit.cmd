fit phi-3-small 8xA100 --framework fsdp2 --show verdict
