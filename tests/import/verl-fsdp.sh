#!/bin/bash
# verl's actor on FSDP.
python3 -m verl.trainer.main_ppo \
    data.train_batch_size=512 \
    data.max_prompt_length=512 \
    data.max_response_length=1536 \
    actor_rollout_ref.model.path=Qwen/Qwen2-7B-Instruct \
    actor_rollout_ref.actor.ppo_mini_batch_size=64 \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.actor.ppo_max_token_len_per_gpu=8192 \
    actor_rollout_ref.actor.ulysses_sequence_parallel_size=1 \
    actor_rollout_ref.rollout.tensor_model_parallel_size=2 \
    actor_rollout_ref.rollout.n=4 \
    trainer.n_gpus_per_node=8 trainer.nnodes=1
