# SPDX-License-Identifier: GPL-3.0-or-later
# Made by tests/tools/python-classes (make docs).
"""plan3d assign"""

from __future__ import annotations

from typing import List, Literal, Optional

from .._answer import Answer
from .._record import Record


class AssignAnswer(Answer):
    """Answer of plan3d assign."""

    schema: Literal["plan3d/1"]
    """contract of the document: its keys keep their names"""
    schema_version: Literal["1.1"]
    """of the contract: grows where keys are added, or say something else (docs/json.md)"""
    command: Literal["assign"]
    """always the same"""
    objective: Literal["end", "mean", "cost"]
    """what is least: the last job's end, the mean end by weights, or the cost"""
    n_jobs: int
    """jobs"""
    n_assigned: int
    """jobs that have a place"""
    end_s: Optional[float]
    """time until the last job ends"""
    mean_s: Optional[float]
    """mean time until a job ends, by weights"""
    training_gpu_h: Optional[float]
    """GPU-hours of all jobs"""
    training_usd: Optional[float]
    """cost of all jobs; null: not priced"""
    by_price: bool
    """cost is money: every pool has a price; else GPU-hours"""
    pools: List[AssignPool]
    """of the fleet"""
    needs: List[AssignNeed]
    """what each job needs of each pool"""
    proof: AssignProof
    """the certificate: no other places are better"""

    @property
    def rows(self) -> List[AssignRow]:
        """the jobs"""
        return [AssignRow(row) for row in self.raw["rows"]]


class AssignRow(Record):
    """A job, and its place."""

    name: Optional[str]
    """of the job"""
    model: Optional[str]
    """its name"""
    seq_len: int
    """tokens per sequence"""
    global_batch: int
    """sequences per step"""
    n_tokens: float
    """of the training"""
    weight: int
    """how much the job counts"""
    deadline_s: Optional[float]
    """by when it has to end"""
    verdict: Literal["assigned", "no_room", "late", "no_plan", "refused"]
    """assigned; no_room: it would have a place without the others; late: not in time on any number
    of nodes; no_plan: none is sure to fit; refused: no pool runs it"""
    place: AssignPlace
    """a job on nodes of a pool"""
    alone: AssignPlace
    """a job on nodes of a pool"""


class AssignPlace(Record):
    """A job on nodes of a pool."""

    pool: Optional[str]
    """its name; null: there is no place"""
    gpu: Optional[str]
    """type of its GPUs"""
    n_nodes: int
    """nodes"""
    n_gpus: int
    """GPUs"""
    plan: Optional[str]
    """the fastest that is sure to fit, as --plan reads it"""
    step_s: Optional[float]
    """time of its step"""
    training_s: Optional[float]
    """of the training, with failures"""
    goodput_frac: Optional[float]
    """of the time, steps that are kept"""
    training_gpu_h: Optional[float]
    """GPU-hours of the training"""
    training_usd: Optional[float]
    """its cost; null: not priced"""


class AssignPool(Record):
    """A pool, and what the jobs take of it."""

    name: Optional[str]
    """of the pool"""
    cluster: Optional[str]
    """GPUs x type"""
    n_nodes: int
    """nodes"""
    n_used_nodes: int
    """nodes that have a job"""
    unit_nodes: int
    """jobs take nodes of it by so many"""


class AssignNeed(Record):
    """What a job needs of a pool."""

    job: Optional[str]
    """its name"""
    pool: Optional[str]
    """its name"""
    least_nodes: Optional[int]
    """the fewest nodes of it on which the job fits and is in time; null: all are not enough"""
    refusal: Optional[str]
    """why the pool cannot run the job; null: it may"""


class AssignProof(Record):
    """The certificate: no other places are better."""

    floor_s: Optional[float]
    """no earlier end of the last job: of those that have a place, the longest, where it ends first
    without the others"""
    n_look_ups: int
    """pairs of a job and a number of nodes of a pool"""
    n_skipped: int
    """of these, ruled out by the peak of the GPUs"""
    n_choices: int
    """places that are faster than all with fewer nodes of the pool"""
    n_states: int
    """combinations of nodes in use that were gone through"""
    complete: bool
    """false: stopped, not all times are known"""
    seconds: float
    """time of the search"""
