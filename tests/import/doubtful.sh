#!/bin/bash
# A launch whose parallelism comes from outside, with options of nobody.
torchrun --nproc_per_node 8 pretrain_gpt.py \
    --tensor-model-parallel-size ${TP} --pipeline-model-parallel-size ${PP:-2} \
    --num-layers 32 --hidden-size 4096 --ffn-hidden-size 11008 \
    --num-attention-heads 32 --vocab-size 32000 --swiglu --seq-length 4096 \
    --max-position-embeddings 4096 --micro-batch-size 1 \
    --global-batch-size 512 --bf16 --use-distributed-optimizer \
    --my-lora-rank 16 --fancy-expert-parallel 8 --wandb-project p
