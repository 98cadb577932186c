# SPDX-License-Identifier: GPL-3.0-or-later
"""What mypy knows of answers (make check-python): a type that differs, or a line that is
wrong and not said to be, is an error."""

from typing import List, Literal, Optional

from typing_extensions import assert_type

import plan3d
from plan3d.documents.explain import ExplainMemoryAnswer, ExplainSensitivityAnswer
from plan3d.documents.shared import Job, Memory
from plan3d.documents.sweep import SweepRow

fitted = plan3d.fit("8B", "8xH100", tokens="1T")
assert_type(fitted.recommended, Optional[plan3d.Plan])
assert_type(fitted.step_s, Optional[float])
assert_type(fitted.plans, List[plan3d.Plan])
assert_type(fitted.plans[0].plan, str)
assert_type(fitted.plans[0].values.dp, int)
assert_type(fitted.plans[0].memory, Memory)
assert_type(fitted.job, Job)
assert_type(fitted.plans[0].values.recompute, Literal["none", "selective", "full"])
fitted.jobb  # type: ignore[attr-defined]
fitted.step_s + 1  # type: ignore[operator]

assert_type(plan3d.sweep("8B", "H100", gpus=[8, 16]).rows, List[SweepRow])
assert_type(plan3d.explain("8B", "8xH100"), ExplainMemoryAnswer)
assert_type(plan3d.explain("8B", "8xH100", "sensitivity"), ExplainSensitivityAnswer)
assert_type(plan3d.command("list", "models"), plan3d.Answer)
