# SPDX-License-Identifier: GPL-3.0-or-later
"""A script on Lightning's Trainer, for exports: random tokens, a small net."""
import lightning.pytorch as lightning
import torch

try:
    import lightning_plan as plan
    strategy = plan.strategy
except ImportError:
    import lightning_ddp_plan as plan
    strategy = plan.strategy()

VOCAB, WIDTH = 256, 64


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = torch.nn.Embedding(VOCAB, WIDTH)
        self.layers = torch.nn.ModuleList(
            torch.nn.Linear(WIDTH, WIDTH) for _ in range(2))
        self.head = torch.nn.Linear(WIDTH, VOCAB)

    def forward(self, rows):
        stream = self.embedding(rows)
        for layer in self.layers:
            stream = layer(stream)
        return self.head(stream)


class Model(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = Net()

    def configure_model(self):
        if hasattr(plan, "shard"):
            plan.shard(self.net, self.net.layers, self.device_mesh)

    def training_step(self, batch, _):
        return torch.nn.functional.cross_entropy(
            self.net(batch[0]).flatten(0, 1).float(), batch[0].flatten())

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=1e-3)


rows = torch.randint(0, VOCAB, (16, plan.batch["sequence_length"]))
data = torch.utils.data.DataLoader(
    torch.utils.data.TensorDataset(rows),
    batch_size=plan.batch["micro_batch_size"])
model = Model()
trainer = lightning.Trainer(
    strategy=strategy, **plan.trainer, accelerator="cpu", max_steps=1,
    logger=False, enable_checkpointing=False, enable_progress_bar=False)
trainer.fit(model, data)
if trainer.is_global_zero:
    print("step", trainer.global_step, type(strategy).__name__, flush=True)
