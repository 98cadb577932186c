#SBATCH --nodes=2
srun python pretrain.py --model /data/models/my-qwen2.5-32b-base \
    --tp_size 8 --pipeline_parallel 2 --seq_len 4096 --mbs 1 --grad-accum 32
