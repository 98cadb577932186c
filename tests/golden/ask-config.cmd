give me the deepspeed config for 1B on 8 A100
