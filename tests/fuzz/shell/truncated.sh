ARGS=(
  --num-layers 80 --hidden-size "81