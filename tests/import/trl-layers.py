# TRL trains adapters beside whole replicas: all layers are recomputed.
from trl import SFTConfig, SFTTrainer
from peft import LoraConfig
cfg = SFTConfig(
    per_device_train_batch_size=4,
    gradient_accumulation_steps=4,
    max_length=4096,
    bf16=True,
    packing=True,
    gradient_checkpointing=True,
    output_dir="o")
tr = SFTTrainer(
    model="Qwen/Qwen3-14B",
    args=cfg,
    peft_config=LoraConfig(r=32, target_modules="all-linear"),
    train_dataset=ds)
tr.train()
