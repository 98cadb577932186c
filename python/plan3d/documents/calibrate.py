# SPDX-License-Identifier: GPL-3.0-or-later
# Made by tests/tools/python-classes (make docs).
"""plan3d calibrate"""

from __future__ import annotations

from typing import List, Literal, Optional

from .._answer import Answer
from .._record import Record
from .shared import Form


class CalibrateAnswer(Answer):
    """Answer of plan3d calibrate."""

    schema: Literal["plan3d/1"]
    """contract of the document: its keys keep their names"""
    schema_version: Literal["1.1"]
    """of the contract: grows where keys are added, or say something else (docs/json.md)"""
    command: Literal["calibrate"]
    """always the same"""
    gpu: Optional[str]
    """GPU of hardware/gpu"""
    base: Optional[str]
    """calibration from before"""
    device: Optional[str]
    """that was measured, as its driver has it"""
    driver: Optional[str]
    """of the device"""
    date: Optional[str]
    """of the first measurement, UTC"""
    file: Optional[str]
    """that was written; null = none"""
    forms: List[Form]
    """every cost form; empty of runs"""
    left: List[CalibrateLeft]
    """measured and not fitted to; empty = none"""
    runs: List[CalibrateRun]
    """measured runs of the user's own"""
    median_error_frac: Optional[float]
    """of the runs' steps, without sign"""
    median_held_error_frac: Optional[float]
    """the same, each after the others"""


class CalibrateLeft(Record):
    """Rows that no form is fitted to."""

    what: Optional[str]
    """rows that were measured"""
    why: Optional[str]
    """why no form is fitted to them"""
    n_rows: int
    """of them"""


class CalibrateRun(Record):
    """A measured run of the user's own."""

    id: str
    """that its owner calls it by"""
    framework: str
    """whose profile predicts it"""
    network: str
    """between its nodes; empty = not known, or one node"""
    parameters: int
    """of the model"""
    experts: bool
    """the model has experts"""
    measured_step_s: Optional[float]
    """of a step"""
    predicted_step_s: Optional[float]
    """with the constants from before"""
    error_frac: Optional[float]
    """predicted / measured - 1"""
    held_error_frac: Optional[float]
    """the same after the other runs"""
    measured_peak_bytes: Optional[float]
    """of the tight GPU"""
    predicted_peak_bytes: Optional[float]
    """the same, predicted"""
    peak_error_frac: Optional[float]
    """predicted / measured - 1"""
    log_steps: int
    """of a log: reports that the median is of; 0 = of a table"""
    log_warm_up: int
    """of a log, left out: reports of the first steps"""
    log_repeated: int
    """left out: of other ranks, or of a step that was there"""
    log_other_runs: int
    """left out: of other runs"""
    log_other_batches: int
    """left out: of steps of another batch"""
    log_counted: int
    """of a bar that counts micro-batches: of so many it is the mean"""
    log_whole_run: bool
    """the log has a mean over all of it, the first steps in it"""
