#!/bin/bash
# The command stands in quotes, for another machine and a container.
TP=2
MODEL="--num-layers 32 --hidden-size 4096 --num-attention-heads 32"
ssh node-0 "docker run --gpus all --ipc=host image bash -c 'cd /work &&
  torchrun --nproc_per_node 8 pretrain_gpt.py $MODEL --vocab-size 32000 \
    --seq-length 4096 --max-position-embeddings 4096 --micro-batch-size 1 \
    --global-batch-size 64 --tensor-model-parallel-size $TP --bf16'"
