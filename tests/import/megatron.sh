#!/bin/bash
#SBATCH --nodes=8 --gpus-per-node=8
# Written for this test: variables, sums, arrays, quotes, conditions.
TP=8
PP=${PP:-2}
GPUS_PER_NODE=8
NUM_NODES=$((TP * PP * 4 / GPUS_PER_NODE))
SEQ=4096
MODEL_ARGS=(
    --num-layers 80 --hidden-size 8192  # a comment
    --ffn-hidden-size 28672 --num-attention-heads 64
    --group-query-attention --num-query-groups 8
    --seq-length $SEQ --max-position-embeddings "$SEQ"
    --position-embedding-type rope --normalization RMSNorm
    --swiglu --disable-bias-linear --untie-embeddings-and-output-weights
    --vocab-size 32000 --attention-dropout 0.0 --hidden-dropout 0.0
)
PARALLEL="--tensor-model-parallel-size $TP \
    --pipeline-model-parallel-size $PP --sequence-parallel"
EXTRA=()
if [ "$SEQ" -gt 2048 ]; then
    EXTRA+=("--recompute-granularity full" --recompute-method=uniform)
    EXTRA+=(--recompute-num-layers 1)
fi
LOADER="--num-workers $(nproc)"

torchrun --nnodes $NUM_NODES --nproc-per-node ${GPUS_PER_NODE} \
    pretrain_gpt.py \
    ${MODEL_ARGS[@]} $PARALLEL "${EXTRA[@]}" $LOADER \
    --use-distributed-optimizer --overlap-grad-reduce --window-size 128,0 \
    --micro-batch-size 1 --global-batch-size 512 --bf16 \
    --lr 1.5e-4 --no-such-option 3 --train-iters ${ITERS}
