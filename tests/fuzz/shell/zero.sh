x --num-layers 8 --hidden-size 0 --num-attention-heads 4 --vocab-size 100 --micro-batch-size 0 --seq-length 0
