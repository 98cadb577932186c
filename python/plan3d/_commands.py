# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands as functions: their keywords are the options of the program."""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Dict, Iterator, List, Literal, Mapping, Optional, Sequence, Tuple, Type, Union, cast, overload

from ._answer import Answer
from ._errors import failure
from ._library import Progress, run
from .documents.answers import ANSWERS
from .documents.calibrate import CalibrateAnswer
from .documents.estimate import EstimateAnswer
from .documents.explain import (
    ExplainCompareAnswer,
    ExplainErrorAnswer,
    ExplainEvidenceAnswer,
    ExplainMemoryAnswer,
    ExplainNetworkAnswer,
    ExplainSensitivityAnswer,
    ExplainWhyAnswer,
)
from .documents.export import ExportAnswer
from .documents.fit import FitAnswer
from .documents.import_ import ImportAnswer
from .documents.shared import Plan
from .documents.sweep import SweepAnswer

#: A name or size, the path of a config.json, its content, or a transformers config.
Model = Union[str, "os.PathLike[str]", Mapping[str, Any], Any]
#: Words such as "64xA800", the path of a cluster's JSON, or its content.
Cluster = Union[str, "os.PathLike[str]", Mapping[str, Any]]


def _word(value: Any) -> str:
    if isinstance(value, Plan):
        return value.plan
    if isinstance(value, Mapping):
        return ",".join(f"{key}={_word(item)}" for key, item in value.items())
    if isinstance(value, (list, tuple, range)):
        return ",".join(_word(item) for item in value)
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**63:
        return str(int(value))
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def _options(options: Mapping[str, Any]) -> List[str]:
    words: List[str] = []
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        if value is True:
            words.append(option)
        elif value is not None and value is not False:
            words += [option, _word(value)]
    return words


def _content(thing: Any) -> Optional[Dict[str, Any]]:
    """What is to be written into a file for the program, or None for words."""
    if isinstance(thing, (str, os.PathLike)):
        return None
    if isinstance(thing, Mapping):
        return dict(thing)
    if hasattr(thing, "to_dict"):
        return dict(thing.to_dict())
    raise TypeError(f"a model or cluster is a name, a path, a dict or a config, not {type(thing).__name__}")


@contextmanager
def _as_words(things: Sequence[Any]) -> Iterator[Tuple[List[str], str]]:
    """Command line and folder: what is no file yet is one meanwhile."""
    contents = [_content(thing) for thing in things]
    if all(content is None for content in contents):
        yield [os.fspath(thing) for thing in things], "\0"
        return
    with tempfile.TemporaryDirectory(prefix="plan3d-") as folder:
        words = []
        for thing, content in zip(things, contents):
            if content is None:
                words.append(os.fspath(thing))
                continue
            path = Path(folder, f"{_name(content)}.json")
            while path.exists():
                path = path.with_name(path.stem + "-2.json")
            path.write_text(json.dumps(content, default=str), encoding="utf-8")
            words.append(str(path))
        yield words, folder + os.sep


def _name(content: Mapping[str, Any]) -> str:
    """How answers and messages call it."""
    name = str(content.get("_name_or_path") or content.get("name") or "given").rsplit("/", 1)[-1]
    return "".join(c if c.isalnum() or c in "-_." else "-" for c in name)[:80].lstrip(".") or "given"


def _call(things: Sequence[Any], json_too: bool, progress: Optional[Progress] = None) -> Tuple[int, str]:
    with _as_words(things) as (words, folder):
        status, out, err = run([*words, "--json"] if json_too else words, progress)
    out, err = out.replace(folder, ""), err.replace(folder, "")
    if status > 1:
        raise failure(status, err or out, _error(out))
    return status, out


def _error(out: str) -> Optional[Dict[str, Any]]:
    try:
        error = json.loads(out).get("error")
        return error if isinstance(error, dict) else None
    except ValueError:
        return None


def _class_of(document: Mapping[str, Any]) -> Type[Answer]:
    command = "pools" if "pools" in document else document["command"]
    return ANSWERS.get((command, document.get("topic", document.get("what"))), Answer)


def _ask(*things: Any, progress: Optional[Progress] = None) -> Answer:
    status, out = _call(things, True, progress)
    document = json.loads(out)
    return _class_of(document)(document, status, lambda: _call(things, False)[1])


def command(*words: str, progress: Optional[Progress] = None) -> Answer:
    """The answer of any command line, such as ``command("fit", "70B", "64xA800")``."""
    return _ask(*words, progress=progress)


def fit(model: Model, cluster: Cluster, *, progress: Optional[Progress] = None, **options: Any) -> FitAnswer:
    """Does the model fit, how surely and with which plan? As ``plan3d fit``.

    >>> answer = fit("70B", "64xA800", tokens="1T", price=2.5)
    >>> bool(answer), answer.recommended.plan
    """
    return cast(FitAnswer, _ask("fit", model, cluster, *_options(options), progress=progress))


def estimate(model: Model, cluster: Cluster, plan: Any, **options: Any) -> EstimateAnswer:
    """Memory and time of one plan, by terms. As ``plan3d estimate``."""
    return cast(EstimateAnswer, _ask("estimate", model, cluster, "--plan", _word(plan), *_options(options)))


def sweep(model: Model, cluster: Any, *, progress: Optional[Progress] = None, **options: Any) -> SweepAnswer:
    """The best plan of many clusters, lengths, batches. As ``plan3d sweep``.

    Lists are ranges: ``sweep("8B", "H100", gpus=[8, 16], seq=[4096, 8192])``.
    """
    clusters = _word(cluster) if isinstance(cluster, (list, tuple)) else cluster
    return cast(SweepAnswer, _ask("sweep", model, clusters, *_options(options), progress=progress))


@overload
def explain(model: Model, cluster: Cluster, *, compare: Any, **options: Any) -> ExplainCompareAnswer: ...


@overload
def explain(
    model: Model, cluster: Cluster, topic: Optional[Literal["memory"]] = None, **options: Any
) -> ExplainMemoryAnswer: ...


@overload
def explain(model: Model, cluster: Cluster, topic: Literal["why"], **options: Any) -> ExplainWhyAnswer: ...


@overload
def explain(
    model: Model, cluster: Cluster, topic: Literal["sensitivity"], **options: Any
) -> ExplainSensitivityAnswer: ...


@overload
def explain(
    model: Model, cluster: Cluster, topic: Literal["evidence"], **options: Any
) -> ExplainEvidenceAnswer: ...


@overload
def explain(model: Model, cluster: Cluster, topic: Literal["error"], **options: Any) -> ExplainErrorAnswer: ...


@overload
def explain(model: Model, cluster: Cluster, topic: Literal["network"], **options: Any) -> ExplainNetworkAnswer: ...


@overload
def explain(model: Model, cluster: Cluster, topic: str, **options: Any) -> Answer: ...


def explain(
    model: Model, cluster: Cluster, topic: Optional[str] = None, *, progress: Optional[Progress] = None, **options: Any
) -> Answer:
    """Why: memory, why, evidence, error, sensitivity, network; ``compare``: two plans.

    As ``plan3d explain``.
    """
    topics = [] if topic is None else [topic]
    return _ask("explain", model, cluster, *topics, *_options(options), progress=progress)


def export(model: Model, cluster: Cluster, to: str, out: Any, **options: Any) -> ExportAnswer:
    """Write the launch files of a framework into the folder ``out``."""
    return cast(ExportAnswer, _ask("export", model, cluster, "--to", to, "--out", _word(out), *_options(options)))


def import_(files: Any, cluster: Cluster, **options: Any) -> ImportAnswer:
    """The plan of an existing launch, and how far it is from the best."""
    files = [files] if isinstance(files, (str, os.PathLike)) else list(files)
    return cast(ImportAnswer, _ask("import", *map(_word, files), "--cluster", cluster, *_options(options)))


def calibrate(files: Any, **options: Any) -> CalibrateAnswer:
    """Constants of a machine from what was measured there. As ``plan3d calibrate``."""
    files = [files] if isinstance(files, (str, os.PathLike)) else list(files)
    return cast(CalibrateAnswer, _ask("calibrate", *map(_word, files), *_options(options)))


def version() -> str:
    """The version of the library."""
    return _call(["version"], False)[1].split()[1]
