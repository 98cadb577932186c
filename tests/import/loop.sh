for MBS in 1 2 4; do
for SEED in 1 2; do
torchrun pretrain_gpt.py --num-layers 32 --hidden-size 4096 \
    --num-attention-heads 32 --vocab-size 32000 --seq-length 4096 --bf16 \
    --max-position-embeddings 4096 --global-batch-size 64 \
    --seed $SEED --micro-batch-size $MBS --tensor-model-parallel-size 2
done
done
