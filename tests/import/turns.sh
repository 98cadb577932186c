#!/bin/bash
# Arrays are set in one order and handed on in another: the last value counts.
LAST=(
  --tensor-model-parallel-size 2
  --recompute-activations
)
FIRST=(--tensor-model-parallel-size 4 --micro-batch-size 1)
MODEL=(--num-layers 32 --hidden-size 4096 --num-attention-heads 32
  --seq-length 4096 --max-position-embeddings 4096 --vocab-size 32000)
LAUNCH=(uv run --frozen --extra train torchrun --nproc_per_node 8)
docker run --gpus all --shm-size 64g image \
  "${LAUNCH[@]}" pretrain_gpt.py "${FIRST[@]}" "${MODEL[@]}" \
  --global-batch-size 64 --bf16 --use-distributed-optimizer ${LAST[@]}
