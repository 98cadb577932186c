# NVIDIA-NeMo/Megatron-Bridge docs/performance-summary.md: 37 to 40 s
estimate llama-3.1-405b 1024xH100 --dtype fp8 --tp-overlap --seq 8192 --batch 1536 --plan tp=8,pp=8,cp=2,vp=8,mbs=1,zero=1,sp
