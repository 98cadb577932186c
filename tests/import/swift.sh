megatron sft --model Qwen/Qwen3-8B --load_from_cache_file true \
    --tensor_model_parallel_size 4 --sequence_parallel true \
    --micro_batch_size 1 --global_batch_size 64 --max_length 8192
