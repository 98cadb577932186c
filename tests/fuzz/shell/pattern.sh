x --num-layers 8 --hidden-size 64 --num-attention-heads 4 --vocab-size 100 --micro-batch-size 1 --seq-length 128 --bf16 --num-experts 4 --moe-layer-freq "(((((((((([1]*99999999)*99999)*1+[0]"
