# SPDX-License-Identifier: GPL-3.0-or-later
# Made by tests/tools/python-classes (make docs).
"""plan3d import_"""

from __future__ import annotations

from typing import List, Literal, Optional

from .._answer import Answer
from .._record import Record
from .shared import Cluster, Job, Model, Plan, Search


class ImportAnswer(Answer):
    """Answer of plan3d import."""

    schema: Literal["plan3d/1"]
    """contract of the document: its keys keep their names"""
    schema_version: Literal["1.1"]
    """of the contract: grows where keys are added, or say something else (docs/json.md)"""
    command: Literal["import"]
    """always the same"""
    fits: bool
    """the answer is yes"""
    model: Model
    """the model"""
    cluster: Cluster
    """the cluster"""
    job: Job
    """the training job"""
    launch: ImportLaunch
    """the files of the launch"""
    estimate: Optional[Plan]
    """the plan of the files"""
    exact_best: Optional[Plan]
    """the recommended plan"""
    gap_frac: Optional[float]
    """step time of the plan over that of the exact best, less 1"""
    single_changes: List[ImportSingleChange]
    """single changes that make it faster, or fit; the fastest first"""
    file_change: Optional[ImportFileChange]
    """a file with the recommended plan, or with a single change"""
    search: Search
    """how the plans were found"""
    assumed: List[str]
    """defaults and constants that the answer rests on"""


class ImportLaunch(Record):
    """The files of the launch."""

    title: Optional[str]
    """framework of the launch"""
    profile: Optional[str]
    """framework whose costs it has"""
    versions: Optional[str]
    """that its options were read from"""
    measured_step_s: Optional[float]
    """median of the log's steps after the first two"""
    n_measured_steps: Optional[int]
    """of these steps, or of all where there are few"""
    measured_allocated_bytes: Optional[int]
    """largest allocation of a rank in the log"""
    measured_reserved_bytes: Optional[int]
    """largest reservation of a rank in the log"""
    error_frac: Optional[float]
    """predicted over measured step, less 1"""
    slower_by: Optional[str]
    """term of time that grew most against the best plan"""
    scope: List[str]
    """what the answer is of, where the files run more than a step"""
    defaults: List[str]
    """options left to the framework"""
    unknown: List[str]
    """options without a part in the plan"""
    unmodelled: List[str]
    """options that change what runs and are not in the estimate"""
    unresolved: List[str]
    """options that only a run would tell"""
    doubtful: List[str]
    """options that are not understood and look like a part of the plan, with what they look like"""
    contradicted: List[str]
    """what the files say in two ways, or otherwise than the cluster: what counts stands first"""


class ImportSingleChange(Record):
    """The best change of one decision, all else as it is."""

    change: str
    """values of the plan that differ, or an option of the job"""
    decision: Optional[str]
    """what is changed"""
    words: str
    """the plan with it, as --plan reads it"""
    step_s: float
    """one optimizer step with it"""
    gain_s: float
    """that a step takes less; negative: more, but it fits"""
    gain_frac: float
    """of the step without the change"""
    peak_bytes: int
    """taken from the device"""
    margin_bytes: int
    """left of the device"""
    fit_probability_frac: float
    """of fitting, with it"""


class ImportFileChange(Record):
    """The file of the launch with another plan in it."""

    number: int
    """of the single change, from 1; 0: the recommended plan; -1: neither"""
    file: Optional[str]
    """that is changed, several with commas; null: the files cannot say it"""
    diff: Optional[str]
    """of it, as diff -u writes it"""
    written: Optional[str]
    """file that it was written to; null: none"""
    refused: Optional[str]
    """why the files cannot say the recommended plan; null: they can, or it is theirs"""
