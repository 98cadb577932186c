# Units of FSDP1 by size, as accelerate launch says them.
accelerate launch --use_fsdp --num_processes 8 --mixed_precision bf16 \
    --fsdp_auto_wrap_policy ${POLICY:-SIZE_BASED_WRAP} \
    --fsdp_min_num_params 100000000 --fsdp_sharding_strategy FULL_SHARD \
    train.py --model_name_or_path meta-llama/Llama-2-7b-hf --bf16 true \
    --per_device_train_batch_size 1 --gradient_accumulation_steps 8 \
    --max_seq_length 4096 --gradient_checkpointing true
