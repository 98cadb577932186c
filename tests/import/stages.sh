deepspeed --num_nodes 4 --num_gpus 8 pretrain_gpt.py \
    --num-layers 24 --hidden-size 2048 --num-attention-heads 16 \
    --seq-length 2048 --max-position-embeddings 2048 --vocab-size 50257 \
    --tensor-model-parallel-size 2 --pipeline-model-parallel-size 1 \
    --no-pipeline-parallel --micro-batch-size 1 --global-batch-size 64 \
    --bf16 --zero-stage 2 --deepspeed --deepspeed_config stages.json
