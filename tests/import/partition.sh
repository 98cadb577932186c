#!/bin/bash
# Megatron-DeepSpeed with activations shared out over tensor-parallel ranks.
TP=${TP:-8}
deepspeed --num_nodes 4 --num_gpus 8 pretrain_gpt.py \
    --tensor-model-parallel-size $TP --pipeline-model-parallel-size 1 \
    --no-pipeline-parallel --num-layers 40 --hidden-size 5120 \
    --num-attention-heads 40 --seq-length 2048 \
    --max-position-embeddings 2048 --vocab-size 50257 \
    --micro-batch-size 4 --global-batch-size 256 --checkpoint-activations \
    --partition-activations --deepspeed-activation-checkpointing --fp16 \
    --zero-stage 1 --deepspeed --deepspeed_config ds.json
