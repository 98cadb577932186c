# SPDX-License-Identifier: GPL-3.0-or-later
"""What all answers have: the JSON documents of the program, with names for what is asked most."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Sequence

from . import _html
from ._record import Record
from .documents.shared import Plan


def _flat(raw: Dict[str, Any], prefix: str = "") -> Dict[str, Any]:
    row: Dict[str, Any] = {}
    for key, value in raw.items():
        if isinstance(value, dict):
            row.update(_flat(value, f"{prefix}{key}."))
        elif not isinstance(value, list):
            row[prefix + key] = value
    return row


def _frame(rows: List[Dict[str, Any]]) -> Any:
    try:
        import pandas  # type: ignore[import-untyped, unused-ignore]
    except ImportError:
        raise ImportError("to_frame() needs pandas: pip install pandas") from None
    return pandas.DataFrame([_flat(row) for row in rows])


class Answer(Record):
    """The answer of a command; ``raw`` is the whole document.

    True where the answer is yes.
    """

    def __init__(self, raw: Dict[str, Any], status: int, text: Callable[[], str]) -> None:
        super().__init__(raw)
        #: The program's exit status: 0 yes, 1 no.
        self.status = status
        self._text = text

    def __bool__(self) -> bool:
        return self.status == 0

    @property
    def verdict(self) -> Optional[str]:
        """``fits``, ``fits_barely``, ``does_not_fit``, ... where there is one."""
        found = self.raw.get("verdict") or (self.raw.get("estimate") or {}).get("verdict")
        return None if found is None else str(found)

    @property
    def recommended(self) -> Optional[Plan]:
        """The plan to run, or the one that was asked about; None where nothing fits."""
        found = (self.raw.get(key) for key in ("recommended", "estimate", "best"))
        return next((Plan(plan) for plan in found if isinstance(plan, dict)), None)

    @property
    def step_s(self) -> Optional[float]:
        """Seconds of a step of the recommended plan."""
        plan = self.recommended
        return None if plan is None else plan.step_s

    @property
    def plans(self) -> List[Plan]:
        found = self.raw.get("plans") or ([self.raw["estimate"]] if self.raw.get("estimate") else [])
        return [Plan(plan) for plan in found]

    @property
    def rows(self) -> Sequence[Record]:
        """What ``to_frame`` has a row for: the plans, where the answer has nothing else."""
        return self.plans

    def to_frame(self) -> Any:
        """A pandas.DataFrame of the rows; keys of objects within are joined by dots."""
        return _frame([row.raw for row in self.rows])

    def text(self) -> str:
        """What the program prints for people: it is asked once more."""
        return self._text()

    def __repr__(self) -> str:
        plan = self.recommended
        said = [str(self.raw.get("command")), str(self.verdict or bool(self))]
        if plan is not None:
            said += [plan.plan, f"{plan.step_s:.4g} s a step"]
        return f"<plan3d {': '.join(said[:2])}{''.join(', ' + s for s in said[2:])}>"

    def _repr_html_(self) -> str:
        plan = self.recommended
        return _html.answer(self.verdict or ("yes" if self else "no"), None if plan is None else plan.raw)
