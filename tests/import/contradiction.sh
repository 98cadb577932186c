torchrun --nnodes 8 --nproc-per-node 8 pretrain_gpt.py \
    --tensor-model-parallel-size 8 --pipeline-model-parallel-size 3 \
    --num-layers 80 --hidden-size 8192 --num-attention-heads 64 \
    --seq-length 4096 --max-position-embeddings 4096 --vocab-size 32000 \
    --micro-batch-size 1 --global-batch-size 512 --bf16
