#!/bin/bash
# A launch whose plan stands in the arguments of the script.
SIZE=$1
TP=$2
PP=$3
if [ $SIZE = 1B ]; then
    LAYERS=16
    HIDDEN=2048
elif [ $SIZE = 7B ]; then
    LAYERS=32
    HIDDEN=4096
fi
torchrun pretrain_gpt.py --num-layers $LAYERS --hidden-size $HIDDEN \
    --num-attention-heads 32 --vocab-size 32000 --seq-length 2048 \
    --max-position-embeddings 2048 --micro-batch-size 1 \
    --global-batch-size 64 --bf16 --tensor-model-parallel-size $TP \
    --pipeline-model-parallel-size $PP
