torchrun --nproc-per-node=8 -m verl.trainer.sft_trainer \
    data.train_batch_size=96 data.max_length=2048 \
    data.max_token_len_per_gpu=9000 model.path=Qwen/Qwen2.5-1.5B \
    engine=fsdp engine.strategy=fsdp2
