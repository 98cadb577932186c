sweep llama-3-8b 8xH100,2x8xA100 --seq 4096,32768 --batch 64,128 --framework megatron-core,fsdp2
