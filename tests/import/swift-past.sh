NPROC_PER_NODE=4 swift sft \
    --model_type qwen2-7b-instruct \
    --model_id_or_path models/Qwen2-7B-Instruct \
    --sft_type lora --lora_target_modules DEFAULT --lora_rank 16 \
    --dtype AUTO --batch_size 2 --max_length 4096 \
    --deepspeed default-zero2 --gradient_checkpointing true
