python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo \
    data.max_prompt_length=1024 data.max_response_length=512 \
    actor_rollout_ref.model.path=Qwen/Qwen2.5-1.5B-Instruct \
    actor_rollout_ref.model.enable_gradient_checkpointing=True \
    actor_rollout_ref.actor.ppo_mini_batch_size=256 \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.actor.ppo_max_token_len_per_gpu=24000 \
    actor_rollout_ref.actor.use_kl_loss=True \
    actor_rollout_ref.rollout.n=5 \
    trainer.balance_batch=True trainer.n_gpus_per_node=8 trainer.nnodes=1
