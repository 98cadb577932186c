#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""One of the processes that training.py starts: operations of PyTorch alone,
and steps of small models under DistributedDataParallel over Gloo.

training_rank.py FOLDER RANK

FOLDER/work.json has what to measure: n_ranks, n_rounds, pool_bytes, and lists
of products, cores, passes, collectives and cases. Each round runs everything
once, on all ranks at the same time; so what else the machine does is the same
for all.
FOLDER/rank-RANK.json gets the seconds of each round, in the order of the lists.
They are seconds of the processor in all threads of this process: others may use
the machine too, and a process that waits takes none.
"""
import json
import os
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn
from torch.distributed import barrier, all_reduce

LEAST_SENT = 32 << 20  # bytes of all runs of a collective
N_PASSES = 3
N_WARM_UP_STEPS = 2


class Pool:
    """Random tensors that are not in a cache: parts of one array, in turn."""

    def __init__(self, n_bytes):
        self.numbers = torch.randn(n_bytes // 4)
        self.at = 0

    def take(self, *sizes):
        n = torch.Size(sizes).numel()
        if self.at + n > len(self.numbers):
            self.at = 0
        part = self.numbers[self.at:self.at + n].view(sizes)
        self.at += n
        return part


def product(pool, row):
    """One of the three products of a linear layer, as autograd calls it."""
    m, n, k = row["m"], row["n"], row["k"]
    if row["layout"] == "forward":
        x, weight, bias = pool.take(m, k), pool.take(n, k), pool.take(n)
        return lambda: F.linear(x, weight, bias)
    if row["layout"] == "dgrad":
        dy, weight = pool.take(m, k), pool.take(k, n)
        return lambda: dy.mm(weight)
    dy, x = pool.take(k, m), pool.take(k, n)
    return lambda: dy.t().mm(x)


def core(pool, row):
    """Causal attention, of heads that lie side by side for each token."""
    sizes = row["batch"], row["seq_q"], row["heads"], row["qk_dim"]
    q, k, v = (pool.take(*sizes).transpose(1, 2).detach().requires_grad_(
        row["backward"]) for _ in range(3))

    def forward():
        return F.scaled_dot_product_attention(q, k, v, is_causal=True)

    if not row["backward"]:
        return forward
    y, dy = forward(), pool.take(*sizes).transpose(1, 2)
    return lambda: torch.autograd.grad(y, (q, k, v), dy)


def adam(pool, n):
    weights = nn.Parameter(pool.take(n).clone())
    weights.grad = pool.take(n)
    optimizer = torch.optim.AdamW([weights], fused=True)
    optimizer.step()
    return optimizer.step


def relu(x, _):
    return F.relu(x)


def norm(x, weight):
    return F.layer_norm(x, x.shape[-1:], weight, weight)


def loss(x, _):
    return F.cross_entropy(x, torch.arange(len(x)) % x.shape[-1])


def forward(function):
    return lambda x, y: lambda: function(x, y[0])


def backward(function):
    """The first run of a graph, and so of its own buffers."""
    def make(x, y):
        leaves = x.detach().requires_grad_(), y[0].detach().requires_grad_()
        out = function(*leaves)
        used = leaves if function is norm else leaves[:1]
        return lambda: torch.autograd.grad(out, used, y.view_as(out)
                                           if out.dim() else None)
    return make


# What runs over n elements in rows of this width, and its bytes per element.
PASSES = {
    "scale": (8, lambda x, y: lambda: x.mul(0.999)),
    "add": (12, lambda x, y: lambda: x + y),
    "relu": (8, forward(relu)),
    "relu_backward": (12, backward(relu)),
    "norm": (8, forward(norm)),
    # Its gradients of the weights read both tensors again.
    "norm_backward": (20, backward(norm)),
    # Reads its input twice; its gradient fills one tensor and reads two twice.
    "loss": (12, forward(loss)),
    "loss_backward": (24, backward(loss)),
    # Reads four arrays and writes three.
    "adam": (28, None),
}


def memory_pass(pool, row):
    n_bytes, make = PASSES[row["what"]]
    n_rows = max(1, row["bytes"] // (n_bytes * row["width"]))
    if make is None:
        return adam(pool, n_rows * row["width"])
    return make(pool.take(n_rows, row["width"]),
                pool.take(n_rows, row["width"]))


def collective(pool, row):
    x = pool.take(row["bytes"] // 4).clone()
    return lambda: all_reduce(x)


class Layer(nn.Module):
    def __init__(self, hidden, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.norms = nn.ModuleList(nn.LayerNorm(hidden) for _ in range(2))
        self.qkv = nn.Linear(hidden, 3 * hidden)
        self.out = nn.Linear(hidden, hidden)
        self.up = nn.Linear(hidden, 4 * hidden)
        self.down = nn.Linear(4 * hidden, hidden)

    def forward(self, x):
        n_texts, n_tokens, hidden = x.shape
        q, k, v = (t.view(n_texts, n_tokens, self.n_heads, -1).transpose(1, 2)
                   for t in self.qkv(self.norms[0](x)).split(hidden, -1))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).reshape(x.shape))
        return x + self.down(F.relu(self.up(self.norms[1](x))))


def begin(module):
    """As OPT (init_std 0.02): larger weights have logits so far apart that their
    exponentials are subnormal numbers, for which some cores take far longer."""
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, std=0.02)


class Model(nn.Module):
    """As OPT: learned positions, an output matrix that is the embedding."""

    def __init__(self, case):
        super().__init__()
        hidden = case["hidden"]
        self.embedding = nn.Embedding(case["vocab"], hidden)
        self.positions = nn.Embedding(case["seq"], hidden)
        self.layers = nn.ModuleList(
            Layer(hidden, case["heads"]) for _ in range(case["layers"]))
        self.norm = nn.LayerNorm(hidden)
        self.apply(begin)

    def forward(self, tokens, labels):
        x = self.embedding(tokens) + self.positions.weight
        for layer in self.layers:
            x = layer(x)
        logits = F.linear(self.norm(x), self.embedding.weight)
        return F.cross_entropy(logits.flatten(0, 1), labels.flatten())


class Training:
    """Steps of a case on random tokens."""

    def __init__(self, case):
        torch.manual_seed(0)
        self.model = nn.parallel.DistributedDataParallel(Model(case))
        self.adam = torch.optim.AdamW(self.model.parameters(), lr=1e-4,
                                      fused=True)
        self.vocab = case["vocab"]
        self.shape = case["micro_batch"], case["seq"]
        for _ in range(N_WARM_UP_STEPS):
            self.step()

    def step(self):
        tokens, labels = (
            torch.randint(self.vocab, self.shape) for _ in range(2))
        loss = self.model(tokens, labels)
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.adam.step()
        self.adam.zero_grad()
        if not torch.isfinite(loss):
            sys.exit("the loss is not finite")


def n_runs(kind, row):
    """What is short is run several times, on other tensors each time: in a step
    its code is no news to the core, and its data is."""
    if kind == "collectives":
        return max(1, LEAST_SENT // row["bytes"])
    return N_PASSES if kind == "passes" else 1


def seconds_of(runs):
    """Of one of the runs: of the processor, and of the clock."""
    barrier()
    begin, clock = time.process_time(), time.perf_counter()
    for run in runs:
        run()
    return ((time.process_time() - begin) / len(runs),
            (time.perf_counter() - clock) / len(runs))


def main():
    folder, rank = sys.argv[1], int(sys.argv[2])
    with open(os.path.join(folder, "work.json"), encoding="utf-8") as file:
        work = json.load(file)
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    torch.distributed.init_process_group(
        "gloo", rank=rank, world_size=work["n_ranks"],
        init_method=f"file://{folder}/store")
    pool = Pool(work["pool_bytes"])
    trainings = [Training(case) for case in work["cases"]]
    kinds = {"products": product, "cores": core, "passes": memory_pass,
             "collectives": collective}
    rounds = []
    # The first round only warms up.
    for i in range(work["n_rounds"] + 1):
        this = {kind: [seconds_of([make(pool, row)
                                   for _ in range(n_runs(kind, row))])
                       for row in work[kind]]
                for kind, make in kinds.items()}
        this["cases"] = [seconds_of([t.step]) for t in trainings]
        rounds.append(this)
        if rank == 0:
            print(f"round {i} of {work['n_rounds']}", file=sys.stderr)
    with open(os.path.join(folder, f"rank-{rank}.json"), "w",
              encoding="utf-8") as file:
        json.dump({"version": torch.__version__, "rounds": rounds[1:]}, file)
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main()
