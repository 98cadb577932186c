accelerate launch --config_file accelerate.yaml train.py \
    --per_device_train_batch_size 2 --gradient_accumulation_steps 8
