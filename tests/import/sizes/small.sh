# Sizes that a launch script reads.
MODEL_ARGS=(
    --num-layers 24
    --hidden-size 2048
    --num-attention-heads 16
    --seq-length 4096
    --max-position-embeddings 4096
    --tokenizer-type HuggingFaceTokenizer
    --tokenizer-model Qwen/Qwen3-8B
)
