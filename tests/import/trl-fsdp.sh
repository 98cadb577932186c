# TRL's script under accelerate's file, which says no recomputation.
accelerate launch --config_file trl-fsdp.yaml --num_processes 8 sft.py \
    --model_name_or_path Qwen/Qwen3-14B --per_device_train_batch_size 4 \
    --max_length 8192 --packing --bf16 --gradient_checkpointing \
    --use_peft --lora_r 32 --lora_target_modules all-linear
