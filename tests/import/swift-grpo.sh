NPROC_PER_NODE=8 swift rlhf --rlhf_type grpo --model Qwen/Qwen2.5-1.5B \
    --tuner_type full --per_device_train_batch_size 4 --max_length 1024 \
    --max_completion_length 1024 --num_generations 8 --use_vllm true \
    --vllm_mode colocate --offload_optimizer true --deepspeed zero2
