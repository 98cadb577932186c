# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers: the JSON documents of the program, with names for what is asked most."""

from __future__ import annotations

from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional

from . import _html


class Record(Mapping[str, Any]):
    """An object of a document: ``record["step_s"]`` and ``record.step_s``."""

    def __init__(self, raw: Dict[str, Any]) -> None:
        self.raw = raw

    def __getitem__(self, key: str) -> Any:
        return _wrap(self.raw[key])

    def __getattr__(self, key: str) -> Any:
        try:
            return _wrap(self.__dict__["raw"][key])
        except KeyError:
            raise AttributeError(f"no {key!r} here; there is: {', '.join(self.__dict__.get('raw', {}))}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.raw)

    def __len__(self) -> int:
        return len(self.raw)

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *self.raw]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.raw!r})"


class Plan(Record):
    """A plan with its estimate. ``plan`` has its words, ``values`` its numbers."""

    @property
    def plan(self) -> str:
        return str(self.raw["words"])

    @property
    def values(self) -> Record:  # type: ignore[override]
        return Record(self.raw["plan"])

    @property
    def step_s(self) -> float:
        return float(self.raw["time"]["step_s"])

    @property
    def peak_bytes(self) -> int:
        return int(self.raw["memory"]["peak_bytes"])

    @property
    def fits(self) -> bool:
        return bool(self.raw["fits"])

    def __bool__(self) -> bool:
        return self.fits

    def __str__(self) -> str:
        return self.plan


def _wrap(value: Any) -> Any:
    if isinstance(value, dict):
        return Plan(value) if "words" in value and "memory" in value else Record(value)
    if isinstance(value, list):
        return [_wrap(item) for item in value]
    return value


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
        for key in ("recommended", "estimate", "best"):
            if self.raw.get(key):
                return Plan(self.raw[key])
        return None

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
    def rows(self) -> List[Record]:
        """What ``to_frame`` has a row for: the rows of a sweep, else the plans."""
        for key in ("rows", "plans", "items"):
            if self.raw.get(key):
                return [_wrap(row) for row in self.raw[key]]
        return list(self.plans)

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
