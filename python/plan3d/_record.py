# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects of documents: what the classes in documents/ derive from."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Type, get_args, get_type_hints

if TYPE_CHECKING:
    from .documents.shared import PlanValues


class Record(Mapping[str, Any]):
    """An object of a document: ``record["step_s"]`` and ``record.step_s``."""

    def __init__(self, raw: Dict[str, Any]) -> None:
        self.raw = raw

    def __getitem__(self, key: str) -> Any:
        return _wrap(self.raw[key], _hints(type(self)).get(key))

    if not TYPE_CHECKING:  # there the annotations of a class say which attributes it has

        def __getattr__(self, key: str) -> Any:
            raw = self.__dict__.get("raw", {})
            if key in raw:
                return self[key]
            if not key.startswith("_") and key in _hints(type(self)):
                return None
            raise AttributeError(f"no {key!r} here; there is: {', '.join(raw)}")

    def __iter__(self) -> Iterator[str]:
        return iter(self.raw)

    def __len__(self) -> int:
        return len(self.raw)

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *self.raw]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.raw!r})"


class Estimated(Record):
    """A plan with its estimate. ``plan`` has its words, ``values`` its numbers."""

    @property
    def plan(self) -> str:
        return str(self.raw["words"])

    @property
    def values(self) -> PlanValues:  # type: ignore[override]
        from .documents.shared import PlanValues

        return PlanValues(self.raw["plan"])

    @property
    def step_s(self) -> float:
        return float(self.raw["time"]["step_s"])

    @property
    def peak_bytes(self) -> int:
        return int(self.raw["memory"]["peak_bytes"])

    def __bool__(self) -> bool:
        return bool(self.raw["fits"])

    def __str__(self) -> str:
        return self.plan


@lru_cache(maxsize=None)
def _hints(kind: Type[Record]) -> Dict[str, Any]:
    return get_type_hints(kind)


def _kind_in(hint: Any) -> Type[Record]:
    """The class of the objects in a value that has this type."""
    if isinstance(hint, type) and issubclass(hint, Record):
        return hint
    kinds = (_kind_in(inner) for inner in get_args(hint))
    return next((kind for kind in kinds if kind is not Record), Record)


def _wrap(value: Any, hint: Any) -> Any:
    """A value of a document, with its objects as records."""
    if isinstance(value, dict):
        return _kind_in(hint)(value)
    if isinstance(value, list):
        return [_wrap(item, hint) for item in value]
    return value
