# SPDX-License-Identifier: GPL-3.0-or-later
# Made by tests/tools/python-classes (make docs).
"""plan3d advise"""

from __future__ import annotations

from typing import List, Literal, Optional

from .._answer import Answer
from .._record import Record
from .shared import Change, Cluster, Job, Model, Plan, PlanValues, Search


class AdviseAnswer(Answer):
    """Answer of plan3d advise."""

    schema: Literal["plan3d/1"]
    """contract of the document: its keys keep their names"""
    schema_version: Literal["1.1"]
    """of the contract: grows where keys are added, or say something else (docs/json.md)"""
    command: Literal["advise"]
    """always the same"""
    fits: bool
    """the answer is yes"""
    model: Model
    """the model"""
    cluster: Cluster
    """the cluster"""
    job: Job
    """the training job"""
    steps: List[AdviseStep]
    """of the walk, in order"""
    answer: Optional[Plan]
    """where the walk ends"""
    changes: List[Change]
    """that make it fit, cheapest first"""
    exact_best: Optional[Plan]
    """of all plans"""
    gap_frac: Optional[float]
    """step time of the answer over that of the exact best, less 1"""
    search: Search
    """how the plans were found"""
    assumed: List[str]
    """defaults and constants that the answer rests on"""


class AdviseStep(Record):
    """One step of the walk."""

    number: int
    """of the step, from 1"""
    words: str
    """the plan as --plan reads it"""
    plan: PlanValues
    """how the job is spread over the GPUs"""
    legal: bool
    """the framework can run it"""
    fits: bool
    """its peak is usable"""
    accepted: bool
    """the walk goes on from it"""
    rule: Optional[str]
    """that refuses a plan that is not legal"""
    refusal: Optional[str]
    """why that rule rejects it"""
    peak_bytes: Optional[int]
    """taken from the device"""
    usable_bytes: Optional[int]
    """that a GPU has for it"""
    step_s: Optional[float]
    """time of a step"""
    tokens_per_s_per_gpu: Optional[float]
    """of one GPU"""
    bottleneck: Optional[str]
    """longest term but for the GEMMs"""
    decision: Optional[str]
    """the move that led here"""
    reason: Optional[str]
    """the number that decided"""
