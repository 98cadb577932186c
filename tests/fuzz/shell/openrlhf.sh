#!/bin/bash
ray start --head --num-gpus 8
ray job submit --address="http://127.0.0.1:8265" -- \
    python3 -m openrlhf.cli.train_ppo_ray \
    --actor_num_nodes 1 --actor_num_gpus_per_node 4 \
    --ref_num_nodes 1 --ref_num_gpus_per_node 2 \
    --reward_num_nodes 1 --reward_num_gpus_per_node 2 \
    --critic_num_nodes 1 --critic_num_gpus_per_node 4 \
    --vllm_num_engines 2 --vllm_tensor_parallel_size 2 \
    --pretrain meta-llama/Llama-3.1-8B-Instruct \
    --micro_train_batch_size 2 --train_batch_size 128 \
    --prompt_max_len 1024 --generate_max_len 1024 \
    --zero_stage 3 --bf16 --adam_offload --gradient_checkpointing
