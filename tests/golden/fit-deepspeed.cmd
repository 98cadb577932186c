fit 13B 16xA100 --framework deepspeed --long
