# SPDX-License-Identifier: GPL-3.0-or-later
"""What the program refuses, in its own words."""

from __future__ import annotations

from typing import Any, Dict, Optional


class Plan3dError(Exception):
    """The program gave no answer. str() is its message.

    "It does not fit" is an answer, not an error.
    """

    def __init__(self, message: str, error: Optional[Dict[str, Any]] = None) -> None:
        super().__init__(message)
        error = error or {}
        #: Where in which file, as far as it is known.
        self.file: Optional[str] = error.get("file")
        self.line: Optional[int] = error.get("line")
        self.column: Optional[int] = error.get("column")
        self.pointer: Optional[str] = error.get("pointer")
        #: What to write instead.
        self.hint: Optional[str] = error.get("hint")


class UsageError(Plan3dError, TypeError):
    """An option or a word that there is not."""


class DataError(Plan3dError, ValueError):
    """A model, cluster or file that is wrong."""


class SystemRefused(Plan3dError, OSError):
    """A file, memory or output that the system does not give."""


_kinds = {2: UsageError, 3: DataError, 4: SystemRefused}


def failure(status: int, message: str, error: Optional[Dict[str, Any]]) -> Plan3dError:
    message = message.strip()
    if message.startswith("plan3d: "):
        message = message[len("plan3d: ") :]
    return _kinds.get(status, Plan3dError)(message or f"exit status {status}", error)
