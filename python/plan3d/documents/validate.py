# SPDX-License-Identifier: GPL-3.0-or-later
# Made by tests/tools/python-classes (make docs).
"""plan3d validate"""

from __future__ import annotations

from typing import List, Literal, Optional

from .._answer import Answer
from .._record import Record
from .shared import Form


class ValidateAnswer(Answer):
    """Answer of plan3d validate."""

    schema: Literal["plan3d/1"]
    """contract of the document: its keys keep their names"""
    schema_version: Literal["1.1"]
    """of the contract: grows where keys are added, or say something else (docs/json.md)"""
    command: Literal["validate"]
    """always the same"""
    why_not: Optional[str]
    """why nothing was measured; null = it was"""
    tolerance_frac: float
    """what may be off by less"""
    model: Optional[str]
    """name of the model"""
    cluster: Optional[str]
    """the cluster in words"""
    plan: Optional[str]
    """as --plan reads it"""
    device: Optional[str]
    """that was measured, as its driver has it"""
    driver: Optional[str]
    """of the device"""
    date: Optional[str]
    """of the first measurement"""
    covered_frac: float
    """share of the planned seconds that was measured"""
    kinds: List[ValidateKind]
    """kinds of operations of the plan"""
    all: Optional[ValidateKind]
    """all of them, but for sustained products"""
    step: Optional[ValidateStep]
    """the step with the measured constants"""
    memory: Optional[ValidateMemory]
    """whether the peak was had"""
    trace: Optional[ValidateTrace]
    """the steps of --trace"""
    terms: List[ValidateTerm]
    """where they differ from the prediction"""
    ranks: Optional[ValidateRank]
    """of several traces; null = of one"""
    rank_kinds: List[ValidateRankKind]
    """what is slow on which rank"""
    rank_collectives: List[ValidateRankCollective]
    """how much of them is waiting"""
    rank_stages: List[ValidateRankStage]
    """of the pipeline"""
    forms: List[Form]
    """cost forms and their fits"""
    file: Optional[str]
    """calibration that was written; null = none"""
    reasons: List[str]
    """why the plan does not hold"""
    notes: List[str]
    """what the answer does not say"""
    commands: List[ValidateCommand]
    """that measure it elsewhere"""
    n_measurements: int
    """that these make"""


class ValidateKind(Record):
    """Operations of one kind, measured and predicted."""

    name: Optional[str]
    """kind of operation"""
    n_wanted: int
    """operations of the plan"""
    n_found: int
    """of them, measured"""
    n_points: int
    """measurements of these"""
    planned_s: float
    """of these in a step, as predicted, on the rank that has the most of each"""
    missing_s: float
    """of those that were not measured"""
    median_ratio: Optional[float]
    """measured over predicted time"""
    low_ratio: Optional[float]
    """a tenth is below"""
    high_ratio: Optional[float]
    """a tenth is above"""
    worst_ratio: Optional[float]
    """farthest from 1"""
    worst_measured_s: Optional[float]
    """of the worst operation"""
    worst_predicted_s: Optional[float]
    """of the worst operation"""
    worst: str
    """the operation that is farthest off"""


class ValidateStep(Record):
    """Time of a step."""

    predicted_s: float
    """with the constants from before"""
    calibrated_s: Optional[float]
    """with those fitted to the measurements; null = none could be fitted"""
    change_frac: float
    """calibrated over predicted, less 1"""
    best_s: Optional[float]
    """the recommended plan with the fitted constants"""
    regret_frac: float
    """what the plan takes longer than that"""
    is_best: bool
    """the plan is still the recommended one"""
    best_plan: Optional[str]
    """the fastest then, as --plan reads it"""


class ValidateMemory(Record):
    """Memory of the tight GPU."""

    measured: bool
    """else the rest says nothing"""
    fits: bool
    """the tensors of the peak could be had"""
    wanted_bytes: int
    """allocated at the peak, as predicted"""
    largest_bytes: Optional[int]
    """that could be allocated"""
    context_bytes: Optional[int]
    """taken by the device's context"""


class ValidateTrace(Record):
    """A traced step."""

    n_steps: int
    """steps of the trace"""
    predicted_s: float
    """a step, as estimated"""
    measured_s: float
    """mean of the steps"""
    shortest_s: float
    """of the steps"""
    longest_s: float
    """of the steps"""
    change_frac: float
    """measured over predicted, less 1"""
    hidden_s: float
    """communication of a step beside other kernels"""


class ValidateTerm(Record):
    """A part of a step, predicted and traced."""

    name: Optional[str]
    """part of a step"""
    predicted_s: float
    """of a step"""
    recomputed_s: float
    """of predicted_s, what recomputation runs again"""
    measured_s: float
    """of a step, mean of those traced"""
    difference_s: float
    """measured less predicted"""
    n_planned: Optional[float]
    """kernels of a step, as planned"""
    n_measured: float
    """kernels of a step"""
    cause: str
    """why they differ; empty = they do not"""


class ValidateRank(Record):
    """Several traced ranks."""

    n_traces: int
    """ranks that were traced"""
    compared_rank: int
    """that computes longest; compared with the estimate"""


class ValidateRankKind(Record):
    """A part of a step over ranks."""

    name: Optional[str]
    """what a rank does in a step"""
    mean_s: float
    """of the traced ranks"""
    fastest_s: float
    """of a rank"""
    fastest_rank: int
    """which"""
    slowest_s: float
    """of a rank"""
    slowest_rank: int
    """which"""


class ValidateRankCollective(Record):
    """Collectives that several ranks ran."""

    name: Optional[str]
    """kind of collective"""
    n_calls: float
    """in a step, of the mean rank"""
    mean_s: float
    """of the mean rank in a step: transfer and waiting"""
    transfer_s: float
    """of it, what the rank takes that comes last"""
    waiting_s: float
    """of it, waiting for that rank"""
    last_rank: int
    """that is waited for longest; -1 = none is"""
    last_frac: float
    """of all waiting, that for this rank"""


class ValidateRankStage(Record):
    """A traced stage of the pipeline."""

    stage: int
    """of the pipeline, from 0"""
    n_ranks: int
    """traced"""
    computing_s: float
    """of its mean rank in a step"""
    bubble_s: float
    """of its mean rank in a step"""


class ValidateCommand(Record):
    """A command to run."""

    command: Optional[str]
    """command line"""
    n_measurements: int
    """that it makes"""
