# SPDX-License-Identifier: GPL-3.0-or-later
"""An answer as a notebook shows it: amounts, memory bars by stage, time by term."""

from __future__ import annotations

import html
from typing import Any, Dict, Iterable, List, Optional, Tuple

#: Terms of memory and of time, with colours that people who see fewer of them tell apart
#: (Okabe and Ito, https://jfly.uni-koeln.de/color/), and greys.
MEMORY = (
    ("weights", "weights", "#0072b2"),
    ("gradients", "gradients", "#56b4e9"),
    ("optimizer", "optimizer states", "#009e73"),
    ("activations", "saved activations", "#e69f00"),
    ("working", "temporary tensors", "#d55e00"),
    ("buffers", "communication buffers", "#cc79a7"),
    ("workspace", "library workspaces", "#7f7f7f"),
    ("fragmentation", "allocator fragmentation", "#a6a6a6"),
    ("context", "context and communicators", "#c8c8c8"),
)
TIME = (
    ("gemm", "GEMMs", "#0072b2"),
    ("attention", "attention core", "#56b4e9"),
    ("memory_pass", "memory-bound kernels", "#009e73"),
    ("recompute", "recomputation", "#d55e00"),
    ("host", "kernel launch overhead", "#cc79a7"),
    ("tp_comm", "tensor-parallel communication", "#e69f00"),
    ("cp_comm", "context-parallel communication", "#e69f00"),
    ("ep_comm", "expert-parallel communication", "#e69f00"),
    ("pp_bubble", "pipeline bubble", "#a6a6a6"),
    ("pp_comm", "pipeline P2P", "#e69f00"),
    ("dp_comm", "exposed data-parallel communication", "#e69f00"),
    ("optimizer", "optimizer step", "#7f7f7f"),
    ("offload", "exposed CPU offload", "#7f7f7f"),
    ("straggler", "straggler wait", "#c8c8c8"),
    ("fixed", "fixed cost of a step", "#7f7f7f"),
)
MOST_STAGES = 16

Part = Tuple[str, str, float, str]  # words, colour, value, value in words


def _parts(terms: Dict[str, Any], rows: Iterable[Tuple[str, str, str]], unit: str) -> List[Part]:
    parts = []
    for name, words, colour in rows:
        value = terms[f"{name}_{unit}"]
        if value > 0:
            said = f"{value / 2**30:.1f} GiB" if unit == "bytes" else f"{value:.3g} s"
            parts.append((words, colour, value, said))
    return parts


def _bar(name: str, said: str, parts: List[Part], whole: float) -> str:
    spans = "".join(
        f'<span title="{html.escape(words)}: {value_words}" style="display:inline-block;height:14px;'
        f'width:{100 * value / whole:.2f}%;background:{colour}"></span>'
        for words, colour, value, value_words in parts
    )
    return (
        f'<tr><td><b>{html.escape(name)}</b></td><td style="width:420px;font-size:0;white-space:nowrap;'
        f'background:rgba(127,127,127,.15);padding:0;text-align:left">{spans}</td><td>{html.escape(said)}</td></tr>'
    )


def _legend(parts: Iterable[Part]) -> str:
    return " ".join(
        f'<span style="white-space:nowrap"><span style="display:inline-block;width:10px;height:10px;'
        f'background:{colour}"></span> {html.escape(words)} {said}</span>&ensp;'
        for words, colour, _, said in parts
    )


def _amounts(verdict: str, plan: Optional[Dict[str, Any]]) -> List[Tuple[str, str]]:
    rows = [("answer", verdict)]
    if plan is not None:
        time, memory = plan["time"], plan["memory"]
        rows += [
            ("plan", str(plan["words"])),
            ("step", f"{time['step_s']:.4g} s ({time['low_s']:.4g} to {time['high_s']:.4g} in 80 % of runs)"),
            ("memory", f"{memory['peak_bytes'] / 2**30:.1f} of {memory['usable_bytes'] / 2**30:.1f} GiB"),
        ]
        if plan.get("mfu_frac") is not None:
            rows.append(("MFU", f"{100 * plan['mfu_frac']:.1f} %"))
    return rows


def answer(verdict: str, plan: Optional[Dict[str, Any]]) -> str:
    cells = "".join(
        f'<tr><th>{html.escape(name)}</th><td style="text-align:left">{html.escape(value)}</td></tr>'
        for name, value in _amounts(verdict, plan)
    )
    shown = f"<table>{cells}</table>"
    if plan is None:
        return shown
    time, memory = plan["time"], plan["memory"]
    stages = memory["stages"]
    whole = max([memory["usable_bytes"], *(stage["peak_bytes"] for stage in stages)])
    bars = [
        _bar(
            f"stage {stage['stage']}",
            f"{stage['peak_bytes'] / 2**30:.1f} of {memory['usable_bytes'] / 2**30:.1f} GiB",
            _parts(stage["terms"], MEMORY, "bytes"),
            whole,
        )
        for stage in stages[:MOST_STAGES]
    ]
    of_step = _parts(time["terms"], TIME, "s")
    tight = next((stage for stage in stages if stage["stage"] == memory["tight_stage"]), stages[0])
    of_tight = _parts(tight["terms"], MEMORY, "bytes")
    bars.append(_bar("step", f"{time['step_s']:.4g} s", of_step, time["step_s"]))
    return (
        f"{shown}<table>{''.join(bars)}</table><p><b>stage {tight['stage']}:</b> {_legend(of_tight)}</p>"
        f"<p><b>step:</b> {_legend(sorted(of_step, key=lambda part: -part[2]))}</p>"
    )
