export qwen3-30b-a3b 16xH100 --to flagscale --seq 4096 --batch 64 --plan tp=2,ep=8,sp,recompute=selective:core_attn+mlp --launcher torchrun --dry-run
