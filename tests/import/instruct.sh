python open_instruct/grpo_fast.py \
    --model_name_or_path Qwen/Qwen3-4B --num_learners_per_node 4 \
    --vllm_num_engines 4 --deepspeed_stage 3 --per_device_train_batch_size 1 \
    --max_prompt_token_length 2048 --response_length 6144 --pack_length 8192 \
    --num_unique_prompts_rollout 16 --num_samples_per_prompt_rollout 4 \
    --beta 0.01 --gradient_checkpointing
