#!/bin/bash
torchrun --nproc_per_node 8 llava/train/train_mem.py \
    --deepspeed zero3_auto.json \
    --model_name_or_path lmsys/vicuna-7b-v1.5 \
    --vision_tower google/siglip-so400m-patch14-384 \
    --mm_projector_type mlp2x_gelu \
    --mm_tunable_parts "mm_mlp_adapter,mm_language_model" \
    --image_aspect_ratio anyres \
    --bf16 True \
    --per_device_train_batch_size 4 \
    --gradient_accumulation_steps 2 \
    --model_max_length 2048 \
    --gradient_checkpointing True
