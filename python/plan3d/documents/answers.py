# SPDX-License-Identifier: GPL-3.0-or-later
# Made by tests/tools/python-classes (make docs).
"""The classes of answers, by command and topic."""

from __future__ import annotations

from typing import Dict, Optional, Tuple, Type

from .._answer import Answer
from .fit import FitAnswer
from .plan import PlanAnswer
from .estimate import EstimateAnswer
from .explain import (
    ExplainCompareAnswer, ExplainErrorAnswer, ExplainEvidenceAnswer, ExplainMemoryAnswer,
    ExplainNetworkAnswer, ExplainPoolsNetworkAnswer, ExplainSensitivityAnswer, ExplainWhyAnswer,
)
from .advise import AdviseAnswer
from .sweep import SweepAnswer, SweepPoolsAnswer
from .assign import AssignAnswer
from .export import ExportAnswer
from .import_ import ImportAnswer
from .backtest import BacktestAnswer
from .calibrate import CalibrateAnswer
from .validate import ValidateAnswer
from .list import (
    ListCalibrationsAnswer, ListFabricsAnswer, ListFrameworksAnswer, ListGpusAnswer,
    ListModelsAnswer, ListNodesAnswer,
)
from .pools import PoolsAnswer
from .shapes import ShapesAnswer


ANSWERS: Dict[Tuple[str, Optional[str]], Type[Answer]] = {
    ("fit", None): FitAnswer,
    ("plan", None): PlanAnswer,
    ("estimate", None): EstimateAnswer,
    ("explain", "memory"): ExplainMemoryAnswer,
    ("explain", "why"): ExplainWhyAnswer,
    ("explain", "compare"): ExplainCompareAnswer,
    ("explain", "sensitivity"): ExplainSensitivityAnswer,
    ("explain", "evidence"): ExplainEvidenceAnswer,
    ("explain", "error"): ExplainErrorAnswer,
    ("explain", "network"): ExplainNetworkAnswer,
    ("explain", "pools_network"): ExplainPoolsNetworkAnswer,
    ("advise", None): AdviseAnswer,
    ("sweep", None): SweepAnswer,
    ("sweep", "pools"): SweepPoolsAnswer,
    ("assign", None): AssignAnswer,
    ("export", None): ExportAnswer,
    ("import", None): ImportAnswer,
    ("backtest", None): BacktestAnswer,
    ("calibrate", None): CalibrateAnswer,
    ("validate", None): ValidateAnswer,
    ("list", "models"): ListModelsAnswer,
    ("list", "gpus"): ListGpusAnswer,
    ("list", "nodes"): ListNodesAnswer,
    ("list", "fabrics"): ListFabricsAnswer,
    ("list", "calibrations"): ListCalibrationsAnswer,
    ("list", "frameworks"): ListFrameworksAnswer,
    ("pools", None): PoolsAnswer,
    ("shapes", None): ShapesAnswer,
}
