# Known by its command alone; LoRA, as nothing else is said.
NPROC_PER_NODE=8 swift sft --model Qwen/Qwen2.5-7B --dataset data.jsonl \
    --torch_dtype bfloat16 --max_length 2048 --learning_rate 1e-4 \
    --per_device_train_batch_size 2 --gradient_accumulation_steps 4
