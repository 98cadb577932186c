# Hybrid sharding, as a script of people's own has it.
import torch
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.distributed.fsdp import MixedPrecision, ShardingStrategy

seq_len = 4096
micro_batch_size = 1
grad_accum_steps = 4
policy = MixedPrecision(param_dtype=torch.bfloat16, reduce_dtype=torch.float32)
model = FSDP(model, sharding_strategy=ShardingStrategy.HYBRID_SHARD,
             mixed_precision=policy, auto_wrap_policy=wrap)
