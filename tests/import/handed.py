def _faster(cfg):
    cfg.mixed_precision = "bf16_with_fp8_current_scaling_mixed"
    return cfg


def a_pretrain_16gpu_bf16_config():
    cfg = _pretrain_common()
    cfg.model = AutoBridge.from_hf_pretrained(
        "openai/gpt-oss-20b").to_megatron_provider(load_weights=False)
    cfg.model.tensor_model_parallel_size = 2
    cfg.model.pipeline_model_parallel_size = 4
    cfg.model.expert_model_parallel_size = 4
    cfg.model.expert_tensor_parallel_size = 1
    cfg.model.sequence_parallel = True
    cfg.model.seq_length = 4096
    cfg.train.global_batch_size = 512
    cfg.train.micro_batch_size = 1
    return cfg


def a_pretrain_16gpu_fp8_config():
    cfg = a_pretrain_16gpu_bf16_config()
    cfg = _faster(cfg)
    return _beside(cfg)
