sweep 7B 8..32xA100 --framework any,fsdp2 --master-dtype fp32
