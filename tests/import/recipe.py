from megatron.bridge.recipes.llama import llama3_8b_pretrain_config
def pretrain():
    cfg = llama3_8b_pretrain_config(mock=True)
    cfg.model.tensor_model_parallel_size = 2
    cfg.model.pipeline_model_parallel_size = 2
    cfg.train.micro_batch_size = 1
    cfg.train.global_batch_size = 128
    cfg.model.seq_length = 8192
    return cfg
