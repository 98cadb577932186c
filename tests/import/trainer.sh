deepspeed --num_gpus 8 run_clm.py --deepspeed trainer.json \
    --model_name_or_path meta-llama/Llama-3.1-8B --block_size 4096 \
    --per_device_train_batch_size 2 --gradient_accumulation_steps 4 \
    --bf16 True --gradient_checkpointing True \
    --output_dir $OUT 2>&1 | tee log
