# SPDX-License-Identifier: GPL-3.0-or-later
"""plan3d: will this model train on these GPUs, with which plan, and how fast?

>>> import plan3d
>>> answer = plan3d.fit("70B", "64xA800")
>>> if answer:
...     print(answer.recommended.plan, answer.step_s)
"""

from ._answer import Answer
from ._commands import calibrate, command, estimate, explain, export, fit, import_, sweep, version
from ._errors import DataError, Plan3dError, SystemRefused, UsageError
from ._record import Record
from .documents.shared import Plan

__all__ = [
    "Answer",
    "DataError",
    "Plan",
    "Plan3dError",
    "Record",
    "SystemRefused",
    "UsageError",
    "calibrate",
    "command",
    "estimate",
    "explain",
    "export",
    "fit",
    "import_",
    "sweep",
    "version",
]
