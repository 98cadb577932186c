# SPDX-License-Identifier: GPL-3.0-or-later
# Made by tests/tools/python-classes (make docs).
"""plan3d estimate"""

from __future__ import annotations

from typing import List, Literal, Optional

from .._answer import Answer
from .shared import Cluster, Job, MeasuredRun, Model, Plan


class EstimateAnswer(Answer):
    """Answer of plan3d estimate."""

    schema: Literal["plan3d/1"]
    """contract of the document: its keys keep their names"""
    schema_version: Literal["1.1"]
    """of the contract: grows where keys are added, or say something else (docs/json.md)"""
    command: Literal["estimate"]
    """always the same"""
    fits: bool
    """the answer is yes"""
    model: Model
    """the model"""
    cluster: Cluster
    """the cluster"""
    job: Job
    """the training job"""
    estimate: Optional[Plan]
    """the plan that was asked for"""
    evidence: List[MeasuredRun]
    """measured runs that are near the plan, nearest first"""
    assumed: List[str]
    """defaults and constants that the answer rests on"""
