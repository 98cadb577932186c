A=$B
B=$A
A="$A $A"
A="$A $A"
A="$A $A"
torchrun --num-layers $A $((1/0)) $(( (((1) ${X:-${Y:-${Z}}}
