#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Train a few layers of real shapes on one GPU, and write what it took.

Decoder layers with RMSNorm, rotary positions, grouped-query attention and a
gated MLP or experts, in bf16 with fp32 weights, states and gradients by
PyTorch's FSDP2 on a single rank, each layer compiled, AdamW fused, random
tokens. Written are step time and peak memory in the columns of
tests/accuracy/runs.csv and memory.csv, which `plan3d backtest` reads.

Needs PyTorch 2.6 or newer and one CUDA device; --list needs neither.
"""
import argparse
import csv
import datetime
import functools
import gc
import os
import statistics
import sys
import time

CORPUS = os.path.join(os.path.dirname(__file__), "..", "accuracy")

# Layers of published models; few of them, and a small vocabulary, so that the
# states leave room for activations on 80 GB. Heads of 128, or 16 in tiny ones.
KEYS = ("hidden", "n_heads", "n_kv_heads", "ffn", "n_layers", "n_experts",
        "top_k", "moe_ffn")
SHAPES = {
    "llama-3-8b": (4096, 32, 8, 14336, 4),
    "llama-3-70b": (8192, 64, 8, 28672, 2),
    "llama-2-7b": (4096, 32, 32, 11008, 4),
    "mixtral-8x7b": (4096, 32, 8, 14336, 1, 8, 2, 14336),
    "qwen3-30b-a3b": (2048, 32, 4, 6144, 3, 128, 8, 768),
    "tiny": (64, 4, 2, 128, 2),
    "tiny-experts": (64, 4, 2, 128, 2, 4, 2, 64),
}
VOCAB = 32000
N_WARM_UP, N_STEPS = 5, 10

# Shape, tokens, sequences of a micro-batch and of a step, recomputation.
CASES = [
    ("llama-3-8b", 2048, 4, 4, "none"), ("llama-3-8b", 4096, 2, 2, "none"),
    ("llama-3-8b", 8192, 1, 1, "none"), ("llama-3-8b", 8192, 1, 4, "none"),
    ("llama-3-8b", 8192, 1, 1, "full"), ("llama-3-8b", 16384, 1, 1, "none"),
    ("llama-3-8b", 16384, 1, 1, "full"), ("llama-3-8b", 32768, 1, 1, "full"),
    ("llama-3-70b", 2048, 2, 2, "none"), ("llama-3-70b", 4096, 1, 1, "none"),
    ("llama-3-70b", 8192, 1, 1, "none"), ("llama-3-70b", 8192, 1, 1, "full"),
    ("llama-2-7b", 4096, 2, 2, "none"), ("llama-2-7b", 4096, 4, 4, "full"),
    ("mixtral-8x7b", 4096, 1, 1, "none"), ("mixtral-8x7b", 8192, 1, 1, "full"),
    ("qwen3-30b-a3b", 4096, 1, 1, "none"),
    ("qwen3-30b-a3b", 8192, 1, 1, "full"),
]
TINY_CASES = [("tiny", 128, 2, 4, "none"), ("tiny", 128, 2, 2, "full"),
              ("tiny-experts", 128, 2, 2, "none")]

# Names of `plan3d list gpus` for those of the driver.
GPUS = {"NVIDIA H100 80GB HBM3": "H100-SXM5-80GB",
        "NVIDIA H200": "H200-SXM-141GB",
        "NVIDIA A100-SXM4-80GB": "A100-SXM4-80GB"}


def shape_of(name):
    shape = dict(zip(KEYS, SHAPES[name]))
    return dict(shape, head_dim=16 if name.startswith("tiny") else 128)


def columns(name):
    with open(os.path.join(CORPUS, name), newline="", encoding="utf-8") as f:
        return next(csv.reader(f))


def this_year():
    return datetime.date.today().year


def name_of(case):
    name, seq_len, micro_batch, global_batch, recompute = case
    return f"{name}-s{seq_len}-m{micro_batch}-b{global_batch}-{recompute}"


def row_of(case, gpu, version):
    """A row of the corpus without its measurements."""
    name, seq_len, micro_batch, global_batch, recompute = case
    shape = shape_of(name)
    moe = "n_experts" in shape
    n_layers = shape["n_layers"]
    return dict(
        shape, source="train-layers", year=this_year(),
        id=name_of(case),
        framework="PyTorch FSDP2 as torchtitan", framework_version=version,
        gpu=gpu, n_gpus=1, gpus_per_node=1, gated_mlp=1,
        model=f"{n_layers} layer{'s' * (n_layers > 1)} of {name}",
        vocab=VOCAB, tied_embeddings=0, seq_len=seq_len,
        micro_batch=micro_batch, global_batch=global_batch, tp=1, pp=1, vp=1,
        cp=1, ep=1, dp=1, sequence_parallel=0, sharding="fsdp",
        recompute=recompute, schedule="1f1b", dtype="bf16", attention="flash",
        compile=0 if moe else 1, stage="one_rank", reliability="A",
        usable_time=1, usable_memory=1,
        kind="moe" if moe else "pretrain",
        ref="tests/hardware/train_layers.py")


def make_model(torch, shape, recompute):
    """Embedding, layers, final norm and output matrix."""
    nn, F = torch.nn, torch.nn.functional
    hidden, dim = shape["hidden"], shape["head_dim"]
    n_heads, n_kv = shape["n_heads"], shape["n_kv_heads"]
    linear = functools.partial(nn.Linear, bias=False)

    def rotate(x):
        half = torch.arange(dim // 2, device=x.device)
        rates = 500000.0 ** (-2.0 * half / dim)
        angles = torch.arange(x.shape[1], device=x.device)[:, None] * rates
        cos, sin = angles.cos()[:, None], angles.sin()[:, None]
        a, b = x.float().chunk(2, dim=-1)
        return torch.cat((a * cos - b * sin, b * cos + a * sin), -1).type_as(x)

    class Attention(nn.Module):
        def __init__(self):
            super().__init__()
            self.q = linear(hidden, n_heads * dim)
            self.k, self.v = (linear(hidden, n_kv * dim) for _ in range(2))
            self.o = linear(n_heads * dim, hidden)

        def forward(self, x):
            b, s, _ = x.shape
            q = rotate(self.q(x).view(b, s, n_heads, dim))
            k = rotate(self.k(x).view(b, s, n_kv, dim))
            v = self.v(x).view(b, s, n_kv, dim)
            k, v = (t.repeat_interleave(n_heads // n_kv, 2) for t in (k, v))
            q, k, v = (t.transpose(1, 2) for t in (q, k, v))
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
            return self.o(y.transpose(1, 2).reshape(b, s, n_heads * dim))

    class MLP(nn.Module):
        def __init__(self):
            super().__init__()
            self.gate, self.up = (linear(hidden, shape["ffn"])
                                  for _ in range(2))
            self.down = linear(shape["ffn"], hidden)

        def forward(self, x):
            return self.down(F.silu(self.gate(x)) * self.up(x))

    class Experts(nn.Module):
        """Tokens in the order of their experts, products by groups."""

        def __init__(self):
            super().__init__()
            n, ffn = shape["n_experts"], shape["moe_ffn"]
            self.router = linear(hidden, n)
            self.gate, self.up, self.down = (
                nn.Parameter(0.02 * torch.randn(n, *sides))
                for sides in ((hidden, ffn), (hidden, ffn), (ffn, hidden)))

        def product(self, x, w, ends):
            if x.is_cuda and hasattr(torch, "_grouped_mm"):
                return torch._grouped_mm(x, w, offs=ends)
            parts = x.tensor_split(ends[:-1].long().cpu())
            return torch.cat([p @ w[i] for i, p in enumerate(parts)])

        def forward(self, x):
            flat = x.reshape(-1, hidden)
            scores = self.router(flat).float().softmax(-1)
            weights, chosen = scores.topk(shape["top_k"], -1)
            order = chosen.flatten().argsort(stable=True)
            counts = chosen.flatten().bincount(minlength=shape["n_experts"])
            ends = counts.cumsum(0).to(torch.int32)
            token = order // shape["top_k"]
            mine = flat[token]
            y = F.silu(self.product(mine, self.gate, ends))
            y = y * self.product(mine, self.up, ends)
            y = self.product(y, self.down, ends)
            y = y * weights.flatten()[order][:, None].to(y.dtype)
            return torch.zeros_like(flat).index_add(0, token, y).view_as(x)

    class Layer(nn.Module):
        def __init__(self):
            super().__init__()
            self.norms = nn.ModuleList(nn.RMSNorm(hidden) for _ in range(2))
            self.attention = Attention()
            self.mlp = Experts() if "n_experts" in shape else MLP()

        def forward(self, x):
            x = x + self.attention(self.norms[0](x))
            return x + self.mlp(self.norms[1](x))

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding = nn.Embedding(VOCAB, hidden)
            self.layers = nn.ModuleList(
                Layer() for _ in range(shape["n_layers"]))
            self.norm = nn.RMSNorm(hidden)
            self.output = linear(hidden, VOCAB)

        def forward(self, tokens):
            x = self.embedding(tokens)
            for layer in self.layers:
                x = (torch.utils.checkpoint.checkpoint(
                    layer, x, use_reentrant=False)
                     if recompute == "full" else layer(x))
            return self.output(self.norm(x))

    return Model()


def forget_last(torch):
    """Else the ninth shape of a layer would run uncompiled, and what the case
    before reserved would count for the next one."""
    torch.compiler.reset()
    gc.collect()
    torch.cuda.empty_cache()


def train(torch, case, args):
    """Median seconds of a step; on a GPU the bytes allocated and reserved."""
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
    name, seq_len, micro_batch, global_batch, recompute = case
    on_gpu = args.device == "cuda"
    forget_last(torch)
    policy = MixedPrecisionPolicy(param_dtype=torch.bfloat16,
                                  reduce_dtype=torch.float32)
    # Said, or FSDP2 moves a model on the CPU to a GPU that is there.
    mesh = init_device_mesh(args.device, (1,))
    torch.manual_seed(0)
    with torch.device(args.device):
        model = make_model(torch, shape_of(name), recompute)
    for layer in model.layers:
        layer.compile(disable=not on_gpu or hasattr(layer.mlp, "router"))
        fully_shard(layer, mesh=mesh, mp_policy=policy)
    fully_shard(model, mesh=mesh, mp_policy=policy)
    adam = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)

    @functools.partial(torch.compile, disable=not on_gpu)
    def loss_of(logits, labels):
        return torch.nn.functional.cross_entropy(
            logits.flatten(0, 1).float(), labels.flatten())

    tokens = torch.randint(VOCAB, (global_batch, seq_len + 1),
                           device=args.device)
    wait = torch.cuda.synchronize if on_gpu else lambda: None
    times = []

    def step():
        for part in tokens.split(micro_batch):
            loss = loss_of(model(part[:, :-1]), part[:, 1:])
            (loss * len(part) / global_batch).backward()
        adam.step()
        adam.zero_grad()
        wait()
        return loss

    for i in range(N_WARM_UP + N_STEPS):
        if on_gpu and i == N_WARM_UP:
            torch.cuda.reset_peak_memory_stats()
        wait()
        begin = time.perf_counter()
        loss = step()
        times.append(time.perf_counter() - begin)
    if not torch.isfinite(loss):
        sys.exit(f"{name}: the loss is not finite")
    step_s = statistics.median(times[N_WARM_UP:])
    bytes_of = [torch.cuda.max_memory_allocated(),
                torch.cuda.max_memory_reserved()] if on_gpu else []
    if args.traces:
        trace(torch, step, trace_of(case, args.traces))
    return (step_s, *bytes_of)


def trace_of(case, folder):
    return os.path.join(folder, f"{name_of(case)}.json.gz")


def trace(torch, step, path):
    """Record three steps as plan3d validate --trace reads them."""
    from torch.profiler import ProfilerActivity as Activity, profile, schedule
    with profile(activities=[Activity.CPU, Activity.CUDA], record_shapes=True,
                 schedule=schedule(wait=0, warmup=1, active=3),
                 on_trace_ready=lambda p: p.export_chrome_trace(path)) as p:
        for _ in range(4):
            step()
            p.step()


def write(file, table, rows):
    out = csv.DictWriter(file, columns(table), extrasaction="ignore",
                         lineterminator="\n")
    out.writeheader()
    out.writerows(rows)


def write_both(runs, peaks, folder):
    for table, rows in (("runs.csv", runs), ("memory.csv", peaks)):
        with open(os.path.join(folder, table), "w", newline="",
                  encoding="utf-8") as file:
            write(file, table, rows)


def measure(torch, cases, args, row_of_case=row_of, train_case=train):
    """Both tables, written anew with each case; what does not fit is a row."""
    runs, peaks = [], []
    for case in cases:
        row = row_of_case(case, args.gpu, f"torch={torch.__version__}")
        try:
            step_s, *bytes_of = train_case(torch, case, args)
        except torch.OutOfMemoryError:
            runs.append(dict(row, oom=1, usable_time=0))
            write_both(runs, peaks, args.out)
            continue
        print(f"{row['id']}: {step_s:.4f} s, bytes allocated and reserved "
              f"{bytes_of}", file=sys.stderr)
        runs.append(dict(row, measured_step_s=f"{step_s:.6g}"))
        for meter, peak in zip(("allocated", "reserved"), bytes_of):
            peaks.append(dict(row, id=f"{row['id']}-{meter}",
                              measured_peak_bytes=peak, memory_meter=meter))
        write_both(runs, peaks, args.out)


def arguments(doc, all_cases):
    """Those of the command line, and the cases that they choose."""
    parser = argparse.ArgumentParser(description=doc.split("\n", maxsplit=1)[0])
    parser.add_argument("--list", action="store_true",
                        help="print the rows without measurements, as CSV")
    parser.add_argument("--out", default=".", help="folder of the two tables")
    parser.add_argument("--gpu", help="its name in 'plan3d list gpus'")
    parser.add_argument("--tiny", action="store_true", help="small cases")
    parser.add_argument("--cases", nargs="+", metavar="ID",
                        help="only these, in this order")
    parser.add_argument("--traces", metavar="FOLDER",
                        help="where a profiler's trace of each case goes")
    parser.add_argument("--device", default="cuda", choices=("cuda", "cpu"))
    args = parser.parse_args()
    cases = TINY_CASES if args.tiny else all_cases
    if args.cases:
        by_id = {name_of(case): case for case in cases}
        unknown = [name for name in args.cases if name not in by_id]
        if unknown:
            parser.error(f"no case {unknown[0]}; --list prints them")
        cases = [by_id[name] for name in args.cases]
    return args, cases


def print_rows(row_of_case, cases, args):
    write(sys.stdout, "runs.csv",
          [row_of_case(c, args.gpu or "H100-SXM5-80GB", "") for c in cases])


def find_gpu(torch, args):
    """Its name among plan3d's, where none was given."""
    if args.gpu is None:
        name = torch.cuda.get_device_name()
        args.gpu = GPUS.get(name) or sys.exit(
            f"'{name}' is not known; write --gpu NAME")


def main():
    args, cases = arguments(__doc__, CASES)
    if args.list:
        print_rows(row_of, cases, args)
        return
    import torch
    import torch.utils.checkpoint
    find_gpu(torch, args)
    torch.distributed.init_process_group(
        "nccl" if args.device == "cuda" else "gloo", rank=0, world_size=1,
        store=torch.distributed.HashStore())
    measure(torch, cases, args)
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main()
