# The machines of the command count, not those of the configuration.
accelerate launch --config_file configs/fsdp2.json --num_processes 8 \
    train.py --model_name_or_path meta-llama/Meta-Llama-3-8B --bf16 \
    --max_seq_length 4096 --per_device_train_batch_size 2 \
    --gradient_accumulation_steps 4
