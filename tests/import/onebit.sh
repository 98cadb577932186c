# Megatron-DeepSpeed with 1-bit Adam.
deepspeed --num_nodes 4 --num_gpus 8 pretrain_gpt.py \
    --tensor-model-parallel-size 1 --pipeline-model-parallel-size 1 \
    --no-pipeline-parallel --num-layers 24 --hidden-size 2048 \
    --num-attention-heads 16 --seq-length 2048 \
    --max-position-embeddings 2048 --vocab-size 50257 \
    --micro-batch-size 4 --global-batch-size 256 --fp16 \
    --deepspeed --deepspeed_config onebit.json
