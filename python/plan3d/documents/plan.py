# SPDX-License-Identifier: GPL-3.0-or-later
# Made by tests/tools/python-classes (make docs).
"""plan3d plan"""

from __future__ import annotations

from typing import List, Literal, Optional

from .._answer import Answer
from .._record import Record
from .shared import Change, Cluster, Job, MeasuredRun, Model, Plan, Search


class PlanAnswer(Answer):
    """Answer of plan3d plan."""

    schema: Literal["plan3d/1"]
    """contract of the document: its keys keep their names"""
    schema_version: Literal["1.1"]
    """of the contract: grows where keys are added, or say something else (docs/json.md)"""
    command: Literal["plan"]
    """always the same"""
    fits: bool
    """the answer is yes"""
    model: Model
    """the model"""
    cluster: Cluster
    """the cluster"""
    job: Job
    """the training job"""
    fit_probability_frac: float
    """of the best or closest plan"""
    best: Optional[Plan]
    """the plan of --objective"""
    fastest: Optional[Plan]
    """of all that fit by the estimate"""
    roomiest: Optional[Plan]
    """of the sure ones about as fast as any"""
    usual: Optional[Plan]
    """where the recommended plan has unusual settings: the fastest sure one that has none"""
    closest: Optional[Plan]
    """when none fits, the one that misses least"""
    search: Search
    """how the plans were found"""
    changes: List[Change]
    """that make it fit, cheapest first"""
    smallest_cluster_gpus: Optional[int]
    """GPUs of the smallest cluster found on which it fits"""
    evidence: List[MeasuredRun]
    """measured runs that are near the plan, nearest first"""
    assumed: List[str]
    """defaults and constants that the answer rests on"""
    verified: Optional[PlanVerified]
    """of --verify"""


class PlanVerified(Record):
    """A search that was checked plan by plan."""

    n_plans: int
    """legal plans, one by one"""
    n_fitting: int
    """of them, that are sure to fit"""
    best_step_s: Optional[float]
    """the fastest of these"""
    agrees: bool
    """as many plans as the search had, none faster than its fastest, none better to recommend"""
    interrupted: bool
    """the check was stopped"""
    seconds: float
    """time of the check"""
