import lightning as L
from lightning.pytorch.strategies import DDPStrategy
from torch.distributed.algorithms.ddp_comm_hooks import powerSGD_hook as powerSGD
trainer = L.Trainer(devices=8, num_nodes=2, precision="bf16-mixed", accumulate_grad_batches=2,
    strategy=DDPStrategy(
        ddp_comm_state=powerSGD.PowerSGDState(process_group=None, matrix_approximation_rank=2, start_powerSGD_iter=5000),
        ddp_comm_hook=powerSGD.powerSGD_hook))
