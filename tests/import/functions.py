def small():
    cfg = base()
    cfg.model.tensor_model_parallel_size = 1
    return cfg


def base():
    cfg = defaults()
    cfg.train.micro_batch_size = 2
    cfg.train.global_batch_size = 128
    cfg.model.tensor_model_parallel_size = 4
    cfg.model.seq_length = 4096
    return cfg
