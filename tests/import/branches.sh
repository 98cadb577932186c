SP=true
AC=none
TP=${1:-4}
if [ $SP = true ] && [ $TP -gt 1 ]; then
    SP_ARGS="--sequence-parallel"
elif [ $SP = false ]; then
    SP_ARGS=""
fi
if [ "$AC" = full ]; then
    AC_ARGS="--recompute-granularity full --recompute-method uniform"
elif [ $AC = none ]; then AC_ARGS=""
else
    AC_ARGS="--recompute-granularity selective"
fi
if [ -z "$AC" ]; then TYPE="--fp16"; else TYPE="--bf16"; fi
torchrun pretrain_gpt.py --num-layers 24 --hidden-size 2048 \
    --num-attention-heads 16 --seq-length 2048 --micro-batch-size 2 \
    --global-batch-size 256 --tensor-model-parallel-size $TP \
    --tokenizer-type GPT2BPETokenizer $SP_ARGS $AC_ARGS $TYPE
