# SPDX-License-Identifier: GPL-3.0-or-later
# Made by tests/tools/python-classes (make docs).
"""plan3d shapes"""

from __future__ import annotations

from typing import List, Literal, Optional

from .._answer import Answer
from .._record import Record


class ShapesAnswer(Answer):
    """The operations of a plan, to be measured by plan3d-bench."""

    schema: str
    """version of this format, plan3d/1"""
    schema_version: Optional[str]
    """of the contract (docs/json.md)"""
    command: str
    """shapes"""
    model: Optional[str]
    """name of the model"""
    cluster: Optional[str]
    """the cluster in words"""
    plan: Optional[str]
    """the plan as --plan reads it"""
    n_gpus: Optional[int]
    """of the job"""
    n_micro_batches: Optional[int]
    """of a replica and step"""
    allocated_bytes: Optional[int]
    """by the framework at its peak"""
    gemm: Optional[List[ShapesGemm]]
    attention: Optional[List[ShapesAttention]]
    collective: Optional[List[ShapesCollective]]
    piece: Optional[List[ShapesPiece]]


class ShapesGemm(Record):
    """GEMMs, C[m,n] = A[m,k] B[k,n]."""

    name: Optional[str]
    """operation of the plan"""
    dtype: Literal["bf16", "fp16", "fp8", "tf32", "fp32"]
    """type of the factors"""
    layout: Literal["forward", "dgrad", "wgrad"]
    """how the factors lie in memory"""
    how: Literal["single", "batched", "loop"]
    """how several products are run"""
    m: int
    """rows of the result"""
    n: int
    """columns of the result"""
    k: int
    """length of the sums"""
    count: int
    """products of this shape"""
    times: Optional[int]
    """a rank runs them in a step"""


class ShapesAttention(Record):
    """Attention cores."""

    name: Optional[str]
    """operation of the plan"""
    dtype: Literal["bf16", "fp16", "fp8", "tf32", "fp32"]
    """type of queries, keys and values"""
    backward: bool
    """the backward pass"""
    causal: bool
    """tokens see none after them"""
    batch: int
    """sequences"""
    heads: int
    """heads of queries"""
    kv_heads: int
    """heads of keys and values"""
    seq_q: int
    """tokens of queries"""
    seq_kv: int
    """tokens of keys and values"""
    qk_dim: int
    """size of a head of queries and keys"""
    v_dim: int
    """size of a head of values"""
    window: Optional[int]
    """tokens that one sees; absent = all before it"""
    count: int
    """kernels: steps of a ring of context parallelism"""
    times: Optional[int]
    """a rank runs them in a step"""


class ShapesPass(Record):
    """Memory-bound kernels."""

    name: Optional[str]
    """operation of the plan"""
    bytes: int
    """read plus written"""
    n_kernels: int
    """that share these bytes"""
    times: Optional[int]
    """a rank runs them in a step"""


class ShapesCollective(Record):
    """Collectives and transfers."""

    name: Optional[str]
    """operation of the plan"""
    op: Literal[
        "all_reduce", "all_gather", "reduce_scatter", "all_to_all", "broadcast", "send_recv",
        "copy_h2d", "copy_d2h",
    ]
    """the collective"""
    axis: str
    """axis of the plan whose groups run it"""
    n_ranks: int
    """of a group"""
    stride: int
    """between neighbouring ranks of a group"""
    n_inner: Optional[int]
    """ranks of a group, after which the next is `block` from where they began"""
    block: Optional[int]
    """see n_inner"""
    bytes: int
    """of the larger buffer of a rank"""
    times: Optional[int]
    """a rank runs it in a step"""


class ShapesPiece(Record):
    """What the framework has allocated on the tight rank at its peak."""

    name: str
    """what the memory holds"""
    bytes: int
    """of all of them"""
    count: int
    """allocations that share these bytes"""
