torchrun --nproc_per_node 8 grpo.py --deepspeed zero3 \
    --model_name_or_path Qwen/Qwen2.5-7B-Instruct --bf16 true \
    --per_device_train_batch_size 4 --gradient_accumulation_steps 4 \
    --num_generations 8 --max_prompt_length 512 \
    --max_completion_length 1536 --beta 0.04 --gradient_checkpointing true
