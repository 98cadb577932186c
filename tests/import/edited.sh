MBS=2
GBS=64
template=edited.json
config="ds_${GBS}.json"
sed "s/CONFIG_BATCH/${GBS}/" ${template} \
    | sed "s/CONFIG_MICRO_BATCH/${MBS}/" \
    | sed "s/STAGE/1/" \
	> ${config}
deepspeed pretrain_gpt.py --num-layers 12 --hidden-size 768 \
    --num-attention-heads 12 --vocab-size 50257 --seq-length 1024 \
    --max-position-embeddings 1024 --tensor-model-parallel-size 2 \
    --num-experts 1 --moe-min-capacity 4 --no-load-optim \
    --pp-partition-method 'type:transformer|embedding' \
    --micro-batch-size $MBS --global-batch-size $GBS --fp16 \
    --deepspeed --deepspeed_config ${config} --no-pipeline-parallel
