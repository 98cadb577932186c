# SPDX-License-Identifier: GPL-3.0-or-later
# Made by tests/tools/python-classes (make docs).
"""plan3d pools"""

from __future__ import annotations

from typing import List, Literal, Optional

from .._answer import Answer
from .._record import Record
from .shared import Tier, Training


class PoolsAnswer(Answer):
    """Answer about pools of several types."""

    schema: Literal["plan3d/1"]
    """contract of the document: its keys keep their names"""
    schema_version: Literal["1.1"]
    """of the contract: grows where keys are added, or say something else (docs/json.md)"""
    command: Optional[str]
    """that was asked: fit or plan"""
    fits: bool
    """the plan of the pools is sure to fit, or some pool alone is"""
    model: Optional[str]
    """its name"""
    seq_len: int
    """tokens per sequence"""
    global_batch: int
    """sequences per step"""
    billion_tokens_usd: Optional[float]
    """cost of 1e9 tokens with the plan, on the GPUs that it uses, each pool's at its price, if
    nothing fails"""
    alike_step_s: Optional[float]
    """time of a step with the fastest plan whose replicas are all alike, which export writes for
    FlagScale"""
    pools: List[PoolsPool]
    """of the cluster"""
    links: List[PoolsLink]
    """between the pools"""
    plan: Optional[PoolsPlan]
    """the fastest, and its certificate"""
    classes: List[PoolsClass]
    """replicas of the plan"""
    training: Optional[Training]
    """of n_tokens with the plan, where that was asked; without ranges"""


class PoolsPool(Record):
    """One of several pools."""

    name: Optional[str]
    """of the pool"""
    cluster: Optional[str]
    """GPUs x type"""
    fabric: Optional[str]
    """type of network between its nodes"""
    tiers: Optional[List[Tier]]
    """switches above its nodes, from the nodes up; absent: none that may be tight"""
    placement: Optional[str]
    """of the nodes below these switches"""
    rails: Optional[bool]
    """a leaf switch has one card of each node; absent: all of them"""
    n_gpus: int
    """GPUs"""
    n_used_gpus: int
    """GPUs that the plan uses"""
    unit_gpus: int
    """a replica takes GPUs of it by so many"""
    alone_fits: bool
    """some plan on it alone is sure to fit"""
    alone_plan: Optional[str]
    """the fastest plan on it alone, as --plan reads it"""
    alone_step_s: Optional[float]
    """time of its step"""
    usd_per_gpu_h: Optional[float]
    """price of a GPU-hour"""
    alone_billion_tokens_usd: Optional[float]
    """cost of 1e9 tokens with that plan, on all GPUs of the pool, if nothing fails"""
    alone_real_s: Optional[float]
    """time of the training with that plan, if it was asked for and ends"""


class PoolsLink(Record):
    """The network between two pools."""

    to: Optional[str]
    """name of another"""
    bytes_per_s_one_way: float
    """of a node of either to the other"""
    latency_s: float
    """of a collective over it"""
    assumed: bool
    """nobody said it: the slower of the two fabrics"""


class PoolsPlan(Record):
    """The fastest plan on several pools."""

    fits: bool
    """the plan of the pools is sure to fit"""
    zero: int
    """ZeRO stage over all replicas"""
    n_replicas: Optional[int]
    """replicas of all classes"""
    step_s: Optional[float]
    """time of a step"""
    pipeline_s: Optional[float]
    """of it, until the last replica is done"""
    once_s: Optional[float]
    """of it, then: exchange of gradients, optimizer, what is fixed"""
    tokens_per_s: Optional[float]
    """of all GPUs"""
    mfu_frac: Optional[float]
    """FLOPs of the model over the dense peak of the GPUs that are used"""
    prefer_alone: bool
    """one pool alone is no slower"""
    floor_s: Optional[float]
    """work of a step over the best rate of all GPUs"""
    bound_s: Optional[float]
    """no plan of the space takes less"""
    n_classes: int
    """classes whose layers were split"""
    n_cut: int
    """classes that a bound left out"""
    n_knapsacks: int
    """knapsacks that were filled"""
    interrupted: bool
    """it was stopped: the bound is the floor"""
    seconds: float
    """time of the search"""


class PoolsClass(Record):
    """Replicas that are alike."""

    n_replicas: int
    """replicas that are alike"""
    pipeline: Optional[str]
    """its segments in words, from the first stage on"""
    segments: List[PoolsSegment]
    """the same, one by one"""
    n_pipeline_stages: int
    """stages of it"""
    vp: int
    """chunks of each of its stages; above 1 the schedule is interleaved"""
    micro_batch: int
    """sequences of a micro-batch"""
    n_micro_batches: int
    """in a step"""
    recompute: Literal["none", "selective", "full"]
    """activations that the backward pass computes again"""
    pipeline_s: float
    """time until its last micro-batch is done"""
    bottleneck_s: float
    """of that, for each micro-batch after the first"""
    tight_stage: int
    """stage that has the least left, from 0"""
    peak_bytes: int
    """memory of its GPUs"""
    margin_bytes: int
    """usable less peak"""


class PoolsSegment(Record):
    """Neighbouring stages of a replica in one pool."""

    pool: Optional[str]
    """its name"""
    tp: int
    """tensor-parallel ranks"""
    n_stages: int
    """stages of the pipeline"""
    layers: Optional[str]
    """of each stage, with commas between"""
