# SPDX-License-Identifier: GPL-3.0-or-later
# Made by tests/tools/python-classes (make docs).
"""plan3d backtest"""

from __future__ import annotations

from typing import List, Literal, Optional

from .._answer import Answer
from .._record import Record


class BacktestAnswer(Answer):
    """Answer of plan3d backtest."""

    schema: Literal["plan3d/1"]
    """contract of the document: its keys keep their names"""
    schema_version: Literal["1.1"]
    """of the contract: grows where keys are added, or say something else (docs/json.md)"""
    command: Literal["backtest"]
    """always the same"""
    file: Optional[str]
    """the table of runs"""
    n_file_rows: int
    """rows of the table, of the sources asked for"""
    summary: BacktestSummary
    """all sources"""
    oom: BacktestOom
    """does it fit: predicted and seen"""
    guess_mfu_frac: float
    """share of the peak of the constant guess"""
    guess: BacktestGuess
    """the same rows at a constant share of the peak"""
    sources: List[BacktestSource]
    """by source, in order of the table"""
    skipped: List[BacktestSkipped]
    """rows that cannot be predicted"""
    assumed: List[BacktestAssumed]
    """what the predictions rest on"""

    @property
    def rows(self) -> List[BacktestRow]:
        """every row, with --rows"""
        return [BacktestRow(row) for row in self.raw["rows"]]


class BacktestSummary(Record):
    """All sources."""

    time: BacktestErrors
    """errors of the predictions"""
    memory: BacktestErrors
    """errors of the predictions"""
    rank: BacktestRank
    """how well the predictions choose"""
    fits: BacktestFit
    """who fits: said and seen"""
    inside_frac: Optional[float]
    """share of the steps in their 80 % range, which the runs of all other sources give"""
    median_time: BacktestErrors
    """errors of the predictions"""
    macro_inside_frac: Optional[float]
    """mean over the sources with at least 5 rows of each one's share"""


class BacktestErrors(Record):
    """Errors of the predictions."""

    n_rows: int
    """rows that were predicted and measured"""
    median_abs_error_frac: Optional[float]
    """of |predicted / measured - 1|"""
    mean_abs_error_frac: Optional[float]
    """of |predicted / measured - 1|"""
    p90_abs_error_frac: Optional[float]
    """nine tenths of |predicted / measured - 1| are below"""
    mean_signed_error_frac: Optional[float]
    """of predicted / measured - 1"""
    macro_median_abs_error_frac: Optional[float]
    """mean over the sources with at least 5 rows of each one's median"""


class BacktestRank(Record):
    """How well the predictions choose."""

    n_sets: int
    """sets of runs of one job with different plans"""
    median_regret_frac: Optional[float]
    """time of the plan predicted fastest over the fastest, less 1"""
    mean_regret_frac: Optional[float]
    """time of the plan predicted fastest over the fastest, less 1"""
    mean_kendall_tau: Optional[float]
    """share of pairs in order less share in wrong order"""
    macro_mean_regret_frac: Optional[float]
    """mean over sources of each one's mean regret"""


class BacktestFit(Record):
    """Who fits: said and seen."""

    n_rows: int
    """runs that ran or lacked memory"""
    n_right: int
    """of these, the estimate said what was seen"""
    right_frac: Optional[float]
    """share of them"""
    bands: List[BacktestBand]
    """by the probability of fitting that the peaks of all other sources give, from low to high"""


class BacktestBand(Record):
    """Runs that were about as sure to fit."""

    low_frac: float
    """probabilities from this on"""
    high_frac: float
    """and below this; the last with it"""
    n_rows: int
    """runs that were given such a probability"""
    n_ran: int
    """of these, ran"""
    ran_frac: Optional[float]
    """share of them"""


class BacktestOom(Record):
    """Does it fit: predicted and seen."""

    n_failed: int
    """runs that failed for lack of memory"""
    n_failed_predicted: int
    """of these, predicted to need too much"""
    n_ran: int
    """runs that did not: with a step time or a peak"""
    n_ran_predicted: int
    """of these, predicted to fit"""


class BacktestGuess(Record):
    """The same rows at a constant share of the peak."""

    time: BacktestErrors
    """errors of the predictions"""
    rank: BacktestRank
    """how well the predictions choose"""


class BacktestSource(Record):
    """One source."""

    source: Optional[str]
    """name of the source"""
    time: BacktestErrors
    """errors of the predictions"""
    memory: BacktestErrors
    """errors of the predictions"""
    rank: BacktestRank
    """how well the predictions choose"""
    fits: BacktestFit
    """who fits: said and seen"""
    inside_frac: Optional[float]
    """share of the steps in their 80 % range, which the runs of all other sources give"""
    oom: BacktestOom
    """does it fit: predicted and seen"""


class BacktestSkipped(Record):
    """Rows that are not scored for one reason."""

    what: Optional[str]
    """time, memory or rank"""
    reason: str
    """why they cannot be predicted"""
    n_rows: int
    """rows, or sets"""
    first_id: Optional[str]
    """the first of them"""


class BacktestAssumed(Record):
    """Something that was assumed."""

    words: Optional[str]
    """what is not stated, or not modelled: what is put in"""
    n_rows: int
    """scored rows"""


class BacktestRow(Record):
    """One measured run."""

    id: Optional[str]
    """name of the row"""
    source: Optional[str]
    """name of the source"""
    measured_step_s: Optional[float]
    """as stated"""
    predicted_step_s: Optional[float]
    """by plan3d"""
    measured_peak_bytes: Optional[int]
    """as stated"""
    predicted_peak_bytes: Optional[int]
    """by plan3d, of the rank and the meter that were measured"""
    error_frac: Optional[float]
    """predicted / measured - 1 of the step, or of the peak where the step is not scored"""
    skipped: Optional[str]
    """why the row is not scored"""
    fit: Optional[str]
    """ran, or lacked memory; where memory is scored"""
    predicted_fit: Optional[str]
    """fits, or lacks memory"""
    n_gpus: Optional[int]
    """that it ran on"""
    seq_len: Optional[int]
    """tokens of a sequence"""
    global_batch: Optional[int]
    """sequences of a step"""
    dtype: Optional[str]
    """of the matrix products"""
    framework: Optional[str]
    """whose profile predicts it; null: none does"""
    meter: Optional[str]
    """of the peak: allocated, reserved or device"""
    experts: bool
    """the model has them"""
    stands_in: bool
    """the profile is of a similar framework"""
    several_nodes: bool
    """it ran on more than one"""
    host_bound: bool
    """the host takes more than 10 % of the step"""
    many_gpus: bool
    """more than 1,024: few sources have as many"""
    taken_frac: Optional[float]
    """predicted peak over the memory of its GPU"""
    fit_probability_frac: Optional[float]
    """of fitting, by the peaks of all other sources"""
    low_step_s: Optional[float]
    """80 % range, by the runs of all other sources"""
    median_step_s: Optional[float]
    """of that range: half of the runs are slower"""
    high_step_s: Optional[float]
    """80 % range, by the runs of all other sources"""
