# SPDX-License-Identifier: GPL-3.0-or-later
# Made by tests/tools/python-classes (make docs).
"""plan3d sweep"""

from __future__ import annotations

from typing import List, Literal, Optional

from .._answer import Answer
from .._record import Record
from .shared import Model


class SweepAnswer(Answer):
    """Answer of plan3d sweep."""

    schema: Literal["plan3d/1"]
    """contract of the document: its keys keep their names"""
    schema_version: Literal["1.1"]
    """of the contract: grows where keys are added, or say something else (docs/json.md)"""
    command: Literal["sweep"]
    """always the same"""
    fits: bool
    """some row does; with a deadline: it is met"""
    complete: bool
    """it was not interrupted"""
    answer: Optional[str]
    """with --answer, --beside, --find or --deadline: the answer in one sentence"""
    model: Model
    """the model"""
    n_tokens: Optional[float]
    """tokens of the whole training"""
    deadline_s: Optional[float]
    """time that the training may take"""
    deadline_of: Optional[str]
    """the cluster whose time that is"""
    budget_usd: Optional[float]
    """money that the training may cost"""
    n_asked: int
    """combinations; with a deadline, clusters looked at"""
    n_found: int
    """rows, with those that --pareto leaves out"""
    n_fit: int
    """of them, that fit"""
    n_illegal: int
    """of them, without a legal plan"""
    n_front: int
    """of them, Pareto-optimal"""
    seconds: float
    """time of all searches"""
    smallest: Optional[SweepRow]
    """fewest GPUs that meet the deadline"""
    cheapest: Optional[SweepRow]
    """that meets it, by cost, or GPU-hours without a price"""
    closest: Optional[SweepRow]
    """when none meets it, the fastest"""
    scans: List[SweepScan]
    """how the deadline was looked for"""

    @property
    def rows(self) -> List[SweepRow]:
        """one for each combination, in the order of the command line"""
        return [SweepRow(row) for row in self.raw["rows"]]


class SweepRow(Record):
    """The best plan of one combination."""

    cluster: str
    """GPUs x type"""
    type: Optional[str]
    """of the cluster, as it was asked for"""
    beside: Optional[str]
    """options of --beside or --oversubscription that the row has; null: it has none"""
    gpu: Optional[str]
    """its name in full"""
    n_gpus: int
    """GPUs"""
    n_nodes: Optional[int]
    """nodes; null where they are not full"""
    seq_len: Optional[int]
    """tokens per sequence"""
    global_batch: Optional[int]
    """sequences per step"""
    framework: Optional[str]
    """training framework"""
    any_framework: bool
    """it was chosen by --framework any"""
    legal: bool
    """some plan is"""
    refusal: Optional[str]
    """why no plan is legal"""
    fits: bool
    """some plan does, by the estimate"""
    verdict: Literal["fits", "fits_barely", "does_not_fit"]
    """fits: as sure as was asked; fits_barely: by the estimate"""
    fit_probability_frac: float
    """of the plan; 0 = none is legal"""
    idle_gpus: int
    """of the GPUs, that the plan does not use (--idle)"""
    on_front: bool
    """no row with such sequences is at least as good in GPUs, time, money, energy and margin, and
    better in one"""
    role: Optional[str]
    """with a deadline: smallest, cheapest, smallest and cheapest, closest or largest"""
    plan: Optional[str]
    """as --plan reads it: that of --objective, or the one that misses the least"""
    peak_bytes: Optional[int]
    """memory of the tight rank"""
    usable_bytes: Optional[int]
    """memory that a GPU has for it"""
    margin_bytes: int
    """usable less peak"""
    missing_bytes: int
    """that a GPU lacks; 0 when it fits"""
    step_s: Optional[float]
    """time of a step"""
    low_step_s: Optional[float]
    """lower end of its range"""
    high_step_s: Optional[float]
    """upper end of its range"""
    tokens_per_s: Optional[float]
    """of the whole cluster"""
    low_tokens_per_s: Optional[float]
    """lower end of its range"""
    high_tokens_per_s: Optional[float]
    """upper end of its range"""
    tokens_per_s_per_gpu: Optional[float]
    """of one GPU"""
    low_tokens_per_s_per_gpu: Optional[float]
    """lower end of its range"""
    high_tokens_per_s_per_gpu: Optional[float]
    """upper end of its range"""
    mfu_frac: Optional[float]
    """FLOPs of the model over the dense peak"""
    low_mfu_frac: Optional[float]
    """lower end of its range"""
    high_mfu_frac: Optional[float]
    """upper end of its range"""
    n_tokens: Optional[float]
    """tokens of the whole training"""
    never_ends: bool
    """the training fails faster than it works"""
    training_s: Optional[float]
    """time of the whole training, with failures"""
    low_training_s: Optional[float]
    """lower end of its range"""
    high_training_s: Optional[float]
    """upper end of its range"""
    goodput_frac: Optional[float]
    """of it, in which the steps run that stay"""
    training_kwh: Optional[float]
    """energy of the whole training"""
    low_training_kwh: Optional[float]
    """lower end of its range"""
    high_training_kwh: Optional[float]
    """upper end of its range"""
    training_gpu_h: Optional[float]
    """GPU-hours of the whole training"""
    low_training_gpu_h: Optional[float]
    """lower end of its range"""
    high_training_gpu_h: Optional[float]
    """upper end of its range"""
    usd_per_gpu_h: Optional[float]
    """price of one GPU-hour"""
    training_usd: Optional[float]
    """cost of the whole training"""
    low_training_usd: Optional[float]
    """lower end of its range"""
    high_training_usd: Optional[float]
    """upper end of its range"""
    billion_tokens_usd: Optional[float]
    """rent for 1e9 tokens: with failures where tokens were asked (--tokens), else if nothing
    fails"""
    low_billion_tokens_usd: Optional[float]
    """lower end of its range"""
    high_billion_tokens_usd: Optional[float]
    """upper end of its range"""
    fastest_plan: Optional[str]
    """of all plans that fit by the estimate the fastest"""
    fastest_step_s: Optional[float]
    """time of its step"""
    fastest_margin_bytes: int
    """usable less its peak"""
    fastest_fit_probability_frac: float
    """that it fits; 0 = none does"""
    roomiest_plan: Optional[str]
    """of the sure plans about as fast as any the roomiest"""
    roomiest_step_s: Optional[float]
    """time of its step"""
    roomiest_margin_bytes: int
    """usable less its peak"""
    roomiest_fit_probability_frac: float
    """that it fits; 0 = none does"""
    n_plans: int
    """legal plans that were searched"""


class SweepScan(Record):
    """Clusters of one type, and one job."""

    type: Optional[str]
    """of the clusters"""
    seq_len: Optional[int]
    """tokens per sequence; null: the model's"""
    global_batch: Optional[int]
    """sequences per step; null: the default of each number of GPUs"""
    framework: Optional[str]
    """null: the default"""
    met: bool
    """some number of GPUs meets the deadline"""
    complete: bool
    """it was not interrupted"""
    least_gpus: int
    """smallest cluster that was looked at"""
    most_gpus: int
    """largest cluster that was looked at"""
    n_counts: int
    """numbers of GPUs that were looked at"""
    n_searched: int
    """of them, whose plans were searched"""
    n_skipped: int
    """of them, too slow or too dear even at the peak of their GPUs"""


class SweepPoolsAnswer(Answer):
    """Answer of plan3d sweep on pools of several types."""

    schema: Literal["plan3d/1"]
    """contract of the document: its keys keep their names"""
    schema_version: Literal["1.1"]
    """of the contract: grows where keys are added, or say something else (docs/json.md)"""
    command: Literal["sweep"]
    """always the same"""
    topic: Literal["pools"]
    """always the same"""
    fits: bool
    """some row does"""
    complete: bool
    """no search was stopped"""
    model: Optional[str]
    """its name"""
    framework: Optional[str]
    """its name"""

    @property
    def rows(self) -> List[SweepPoolsRow]:
        """one for each combination, in the order of the command line"""
        return [SweepPoolsRow(row) for row in self.raw["rows"]]


class SweepPoolsRow(Record):
    """What a sweep found on pools."""

    cluster: Optional[str]
    """its pools in words"""
    beside: Optional[str]
    """options of the network that vary; empty: none do"""
    seq_len: int
    """tokens per sequence"""
    global_batch: int
    """sequences per step"""
    fits: bool
    """the plan of the pools is sure to fit, or some pool alone is"""
    best: bool
    """no row does more tokens/s"""
    recommended: Optional[str]
    """pools, or the name of the pool that is no slower alone; empty: nothing fits"""
    plan: Optional[str]
    """what is recommended, in words: replicas and their segments, or as --plan reads it"""
    step_s: Optional[float]
    """time of a step of what is recommended"""
    tokens_per_s: Optional[float]
    """of it"""
    together_step_s: Optional[float]
    """time of a step of the fastest plan on all pools"""
    best_alone: Optional[str]
    """name of the pool that is the fastest alone; empty: no pool fits alone"""
    best_alone_step_s: Optional[float]
    """time of its step"""
    bound_s: Optional[float]
    """no plan on all pools takes less"""
    interrupted: bool
    """its search was stopped"""
