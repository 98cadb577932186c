CUDA_VISIBLE_DEVICES=0,1 swift sft --model Qwen/Qwen2.5-1.5B \
    --tuner_type full --max_length 2048 --per_device_train_batch_size 1 \
    --gradient_checkpointing_kwargs '{"use_reentrant": false}'
