# transformers' Trainer without auto_wrap: the model is one unit of FSDP1.
torchrun --nproc_per_node 8 run_clm.py --fsdp full_shard \
    --model_name_or_path meta-llama/Llama-2-7b-hf --bf16 true \
    --per_device_train_batch_size 1 --gradient_accumulation_steps 8 \
    --block_size 4096 --gradient_checkpointing true
