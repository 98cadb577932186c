def run() -> Trainer.Config:
    """A docstring with parallelism.tensor_parallel_degree = 64 in it."""
    return Trainer.Config(
        training=TrainingConfig(
            max_context_length=4096,
            num_tokens_per_microbatch_per_dp_rank=4096,
            num_tokens_per_train_step=512 * 4096,  # not a literal
            steps=10,
        ),
        parallelism=ParallelismConfig(
            tensor_parallel_degree=8,
            pipeline_parallel_degree=2,
            pipeline_parallel_schedule="1F1B",
            num_pp_microbatches=128,
        ),
        activation_checkpoint=SelectiveAC.Config(),
        compile=CompileConfig(enable=True),
    )
