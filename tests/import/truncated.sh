ARGS=(
  --num-layers 80 --hidden-size "8192
