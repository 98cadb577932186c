#!/bin/bash
CMD="pretrain_gpt.py --tensor-model-parallel-size 2 --num-layers 32 --hidden-size 4096"
srun -l bash -lc "
  export NCCL_DEBUG=INFO
  cd /workspace && torchrun \
    --nnodes 2 --nproc-per-node 8 \
    $CMD --vocab-size 32000 \
    --num-attention-heads 32 --seq-length 4096 \
    --max-position-embeddings 4096 --micro-batch-size 1 --global-batch-size 64 --bf16
"
