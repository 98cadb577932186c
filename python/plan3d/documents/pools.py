# SPDX-License-Identifier: GPL-3.0-or-later
# Made by tests/tools/python-classes (make docs).
"""plan3d pools"""

from __future__ import annotations

from typing import List, Literal, Optional

from .._answer import Answer
from .shared import PoolsClass, PoolsLink, PoolsPlan, PoolsPool, Training


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
