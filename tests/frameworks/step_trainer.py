# SPDX-License-Identifier: GPL-3.0-or-later
"""A script on transformers' Trainer, for exports: random tokens, own weights.

accelerate gives processes on a CPU no FSDP (accelerate 1.15, state.py: the
list of types behind ACCELERATE_USE_FSDP has no MULTI_CPU). It does where they
say to be of another device, on which nothing else of the step depends.
"""
import dataclasses
import os

import accelerate
import torch
import transformers


@dataclasses.dataclass
class Words:
    """What run_clm.py and people's own scripts call model and sequence."""
    model_name_or_path: str = os.environ.get("HF_MODEL")
    dtype: str = "float32"
    block_size: int = 0
    max_seq_length: int = 0
    train_file: str = ""


class Tokens(torch.utils.data.Dataset):
    def __init__(self, length, vocab):
        self.rows = torch.randint(0, vocab, (64, length))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return {"input_ids": self.rows[index], "labels": self.rows[index]}


def let_a_cpu_shard(arguments):
    state = accelerate.state.PartialState
    if os.environ.get("ACCELERATE_USE_FSDP") == "true" and arguments.device:
        state()
        state._shared_state["distributed_type"] = (
            accelerate.DistributedType.MULTI_GPU)


words, arguments = transformers.HfArgumentParser(
    (Words, transformers.TrainingArguments)).parse_args_into_dataclasses()
let_a_cpu_shard(arguments)
config = transformers.AutoConfig.from_pretrained(words.model_name_or_path)
trainer = transformers.Trainer(
    model=transformers.AutoModelForCausalLM.from_config(
        config, dtype=getattr(torch, words.dtype)),
    args=arguments, train_dataset=Tokens(
        words.block_size or words.max_seq_length, config.vocab_size))
trainer.train()
if os.environ["RANK"] == "0":
    print("step", trainer.state.global_step,
          type(trainer.model_wrapped).__name__, flush=True)
