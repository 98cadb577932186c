# SPDX-License-Identifier: GPL-3.0-or-later
# Made by tests/tools/python-classes (make docs).
"""plan3d export"""

from __future__ import annotations

from typing import List, Literal, Optional

from .._answer import Answer
from .._record import Record
from .shared import Cluster, Job, Model, Plan


class ExportAnswer(Answer):
    """Answer of plan3d export."""

    schema: Literal["plan3d/1"]
    """contract of the document: its keys keep their names"""
    schema_version: Literal["1.1"]
    """of the contract: grows where keys are added, or say something else (docs/json.md)"""
    command: Literal["export"]
    """always the same"""
    fits: bool
    """the answer is yes"""
    model: Model
    """the model"""
    cluster: Cluster
    """the cluster"""
    job: Job
    """the training job"""
    written: ExportWritten
    """the files of the launch"""
    estimate: Optional[Plan]
    """the plan that was exported"""
    assumed: List[str]
    """defaults and constants that the answer rests on"""


class ExportWritten(Record):
    """The files of the launch."""

    target: Optional[str]
    """framework of the files"""
    versions: Optional[str]
    """that its options were read from"""
    profile: Optional[str]
    """framework whose costs were taken"""
    launcher: Optional[str]
    """that starts the processes"""
    directory: Optional[str]
    """of the files; null = not written"""
    files: List[ExportFile]
    """of the launch"""


class ExportFile(Record):
    """A file of the launch."""

    name: Optional[str]
    """without a directory"""
    executable: bool
    """may be run"""
    text: Optional[str]
    """the whole of it"""
