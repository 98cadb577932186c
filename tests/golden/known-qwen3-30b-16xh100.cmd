# NVIDIA-NeMo/Megatron-Bridge skills/nemo-mbridge-perf-moe-comm-overlap: 24.7 s
estimate qwen3-30b-a3b 16xH100 --dispatcher hybridep --cuda-graphs layers --seq 4096 --batch 1024 --plan ep=16,mbs=1,zero=1
