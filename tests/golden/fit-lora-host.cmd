# All weights go to the host with FSDP, frozen ones too.
fit llama3-405b 1xRTX4090 --lora r=16 --framework fsdp1 --seq 1024 --batch 8
