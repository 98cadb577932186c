# arXiv:2205.05198 table 5: 1.42 s, full recomputation
estimate megatron-22b 8xA100 --framework megatron-2023 --dtype fp16 --attention eager --dropout --seq 2048 --batch 4 --plan tp=8,mbs=4,zero=0,nosp,recompute=full
