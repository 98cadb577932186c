accelerate launch --config_file fsdp2.json swift/cli/sft.py \
    --model Qwen/Qwen3-8B --tuner_type full --max_length 2048 \
    --split_dataset_ratio 0.01 --per_device_train_batch_size 1
