# SPDX-License-Identifier: GPL-3.0-or-later
"""The classes of answers: the values are of the types that their annotations say."""

import keyword
from functools import lru_cache
from pathlib import Path
from typing import List, Literal, Union, get_args, get_origin, get_type_hints

import pytest

import plan3d
from plan3d.documents.answers import ANSWERS
from plan3d.documents.shared import Memory, Plan, PlanValues, Stage

ROOT = Path(__file__).parents[2]
JOB = "8B 8xH100"
COMMANDS = [
    f"fit {JOB} --tokens 1T --price 2",
    "fit 70B 2xA800",
    "fit 8B 8xA800+8xH100",
    f"plan {JOB}",
    f"estimate {JOB} --plan tp=2,zero=1",
    f"explain {JOB}",
    f"explain {JOB} why",
    f"explain {JOB} --compare tp=2,zero=1",
    f"explain {JOB} sensitivity --draws 100",
    f"explain {JOB} evidence",
    f"explain {JOB} error",
    "explain 8B 64xH100 network --oversubscription 2",
    "advise 70B 64xA800",
    "sweep 8B H100 --gpus 8,16 --tokens 1T --deadline 400d",
    f"backtest {ROOT}/tests/accuracy/runs.csv --source korthikanti22 --rows",
    f"calibrate {ROOT}/tests/data/measured/h100-compute.json",
    f"shapes {JOB} --plan tp=2,zero=1",
    f"export {JOB} --to megatron --dry-run",
    f"import {ROOT}/tests/import/factory.yaml --cluster 16xA100",
    f"validate {JOB} --measurements {ROOT}/tests/data/measured/h100-slow-products.json",
    *(f"list {what}" for what in ("models", "gpus", "nodes", "fabrics", "calibrations", "frameworks")),
]


@lru_cache(maxsize=None)
def ask(words):
    return plan3d.command(*words.split())


def is_of(value, hint):
    """Whether a value of a document is of an annotated type, and all that is in it."""
    if get_origin(hint) is Union:
        return any(is_of(value, inner) for inner in get_args(hint))
    if get_origin(hint) is Literal:
        return value in get_args(hint)
    if get_origin(hint) in (list, List):
        return isinstance(value, list) and all(is_of(item, get_args(hint)[0]) for item in value)
    if hint is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, hint) and (not isinstance(value, plan3d.Record) or not wrong_keys(value))


def wrong_keys(record):
    """Keys whose values are of other types, and those that are no attributes."""
    hints = get_type_hints(type(record))
    wrong = [key for key, hint in hints.items() if not is_of(getattr(record, key), hint)]
    unknown = [key for key in record if key not in {*hints, *dir(type(record)), *keyword.kwlist}]
    return [f"{type(record).__name__}.{key}" for key in wrong + unknown]


@pytest.mark.parametrize("words", COMMANDS)
def test_values_are_of_their_types(words):
    answer = ask(words)
    assert wrong_keys(answer) == []
    assert [wrong_keys(row) for row in answer.rows] == [[]] * len(answer.rows)


def test_every_kind_of_answer_has_a_class():
    assert {type(ask(words)) for words in COMMANDS} == set(ANSWERS.values())


def test_objects_have_classes_of_their_own():
    plan = ask(COMMANDS[0]).recommended
    assert type(plan) is Plan and type(plan.values) is PlanValues
    assert type(plan.memory) is Memory and type(plan["memory"]) is Memory
    assert {type(stage) for stage in plan.memory.stages} == {Stage}


def test_pools_have_an_answer_of_their_own():
    answer = ask("fit 8B 8xA800+8xH100")
    assert answer and answer.recommended is None and answer.step_s is None
    assert answer.plan.step_s > 0 and answer["recommended"] == "pools"
    assert [pool.n_gpus for pool in answer.pools] == [8, 8]
    assert answer._repr_html_() and "plan3d" in repr(answer)


def test_a_word_that_is_no_key():
    with pytest.raises(AttributeError, match="no 'modle' here; there is: .*model"):
        ask(COMMANDS[0]).modle
