torchrun --nproc_per_node 4 finetune.py --base_model models/llama-7b-hf \
    --data_path data --batch_size 128 --micro_batch_size 8 --cutoff_len 512 \
    --lora_r 16 --lora_target_modules '[q_proj,k_proj,v_proj,o_proj]'
