#!/bin/bash
deepspeed llava/train/train_mem.py \
    --deepspeed zero3_auto.json \
    --model_name_or_path lmsys/vicuna-7b-v1.5 \
    --vision_tower openai/clip-vit-large-patch14-336 \
    --mm_projector_type mlp2x_gelu \
    --tune_mm_mlp_adapter True \
    --image_aspect_ratio pad \
    --bf16 True \
    --per_device_train_batch_size 4 \
    --gradient_accumulation_steps 2 \
    --model_max_length 2048 \
    --gradient_checkpointing True
