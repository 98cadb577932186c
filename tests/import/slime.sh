MODEL_ARGS=(--num-layers 28 --hidden-size 1024 --ffn-hidden-size 3072
  --num-attention-heads 16 --group-query-attention --num-query-groups 8
  --kv-channels 128 --vocab-size 151936 --swiglu --normalization RMSNorm
  --disable-bias-linear --qk-layernorm --position-embedding-type rope)
ROLLOUT_ARGS=(--hf-checkpoint /root/Qwen3-0.6B --num-rollout 100
  --rollout-batch-size 32 --n-samples-per-prompt 8 --num-steps-per-rollout 2
  --rollout-max-response-len 4096 --over-sampling-batch-size 64)
PERF_ARGS=(--tensor-model-parallel-size 2 --sequence-parallel
  --recompute-granularity full --recompute-method uniform
  --recompute-num-layers 1 --use-dynamic-batch-size --max-tokens-per-gpu 18432)
ray job submit -- python3 train.py --actor-num-nodes 1 \
  --actor-num-gpus-per-node 8 --colocate --attention-dropout 0.0 \
  --hidden-dropout 0.0 ${MODEL_ARGS[@]} ${ROLLOUT_ARGS[@]} ${PERF_ARGS[@]}
