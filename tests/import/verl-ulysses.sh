#!/bin/bash
# verl's actor on FSDP: two ranks share each sequence, 8 GPUs the states.
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.max_prompt_length=2048 \
    data.max_response_length=14336 \
    actor_rollout_ref.model.path=Qwen/Qwen2.5-7B-Instruct \
    actor_rollout_ref.actor.ppo_mini_batch_size=64 \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.actor.ppo_max_token_len_per_gpu=16384 \
    actor_rollout_ref.actor.ulysses_sequence_parallel_size=2 \
    actor_rollout_ref.actor.fsdp_config.fsdp_size=8 \
    actor_rollout_ref.rollout.n=8 \
    trainer.n_gpus_per_node=8 trainer.nnodes=2
