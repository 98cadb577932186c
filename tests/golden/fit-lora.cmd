fit 70B 8xA100 --lora r=16
