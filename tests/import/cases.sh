#!/bin/bash
# A launch that chooses its plan by names, reads a file and writes another one.
HERE="$(cd "$(dirname "$0")" && pwd)"
source "${HERE}/sizes/small.sh"

SIZE=large
[ "$SIZE" = small ] && MODEL_ARGS+=(--swiglu)
case $SIZE in
    small | tiny) TP=1; PP=1 ;;
    large)
        TP=4
        PP=2
        ;;
    *) echo "no such size"; exit 1 ;;
esac
while [[ $# -gt 0 ]]; do
    case $1 in
        --tp) TP=$2; shift 2 ;;
        *) exit 1 ;;
    esac
done
if [ -z "$MICRO" ]; then
    MICRO=2
fi
if [ "$RECOMPUTE" = full ]; then
    MODEL_ARGS+=(--recompute-granularity full --recompute-method uniform)
fi

cat <<END > ds.json
{
  "train_micro_batch_size_per_gpu": $MICRO,
  "train_batch_size": $((MICRO * 64)),
  "zero_optimization": {"stage": 1},
  "bf16": {"enabled": true}
}
END

torchrun --nproc_per_node 8 --nnodes $NNODES pretrain_gpt.py \
    ${MODEL_ARGS[@]} \
    --tensor-model-parallel-size $TP \
    --pipeline-model-parallel-size $PP \
    --micro-batch-size $MICRO \
    --rampup-batch-size 16 16 1000000 \
    --bf16 --deepspeed --deepspeed_config ds.json
