estimate 70B 8xA100 --framework deepspeed-hf --seq 4096 --plan zero=3,recompute=full,offload=optimizer+parameters@nvme
