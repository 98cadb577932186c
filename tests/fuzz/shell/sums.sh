N=$((9999999999999999999*9999999999999999999))
M=$((7%0))
P=$((-5))
x --num-layers $N --hidden-size $M --micro-batch-size $P `date` "$(a "b)" c)"
