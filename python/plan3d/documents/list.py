# SPDX-License-Identifier: GPL-3.0-or-later
# Made by tests/tools/python-classes (make docs).
"""plan3d list"""

from __future__ import annotations

from typing import List, Literal, Optional

from .._answer import Answer
from .._record import Record


class ListModelsAnswer(Answer):
    """Answer of list models."""

    schema: Literal["plan3d/1"]
    """contract of the document: its keys keep their names"""
    schema_version: Literal["1.1"]
    """of the contract: grows where keys are added, or say something else (docs/json.md)"""
    command: Literal["list"]
    """always the same"""
    what: Literal["models"]
    """always the same"""

    @property
    def rows(self) -> List[ListModelsItem]:
        """all of them"""
        return [ListModelsItem(row) for row in self.raw["items"]]


class ListModelsItem(Record):
    """A model."""

    name: str
    """name on the command line"""
    parameters: int
    """all parameters, tied matrices once"""
    active_parameters: int
    """parameters that one token passes through"""
    n_layers: int
    """decoder layers"""
    hidden: int
    """width of the residual stream"""
    n_heads: int
    """query heads"""
    n_kv_heads: int
    """key and value heads"""
    n_experts: int
    """experts of a layer; 0 = dense model"""
    top_k: int
    """experts that a token is sent to"""
    max_positions: Optional[int]
    """tokens of the longest sequence"""


class ListGpusAnswer(Answer):
    """Answer of list gpus."""

    schema: Literal["plan3d/1"]
    """contract of the document: its keys keep their names"""
    schema_version: Literal["1.1"]
    """of the contract: grows where keys are added, or say something else (docs/json.md)"""
    command: Literal["list"]
    """always the same"""
    what: Literal["gpus"]
    """always the same"""

    @property
    def rows(self) -> List[ListGpusItem]:
        """all of them"""
        return [ListGpusItem(row) for row in self.raw["items"]]


class ListGpusItem(Record):
    """A GPU."""

    name: str
    """name of the GPU"""
    vendor: str
    """maker"""
    architecture: str
    """of its instructions"""
    calibration: str
    """set of constants"""
    node: str
    """type of node that it is usually in"""
    memory_bytes: int
    """nominal"""
    visible_memory_bytes: int
    """as the driver shows it"""
    hbm_bytes_per_s: float
    """of its memory, data sheet"""
    fp32_flop_per_s: Optional[float]
    """dense peak"""
    tf32_flop_per_s: Optional[float]
    """dense peak"""
    fp16_flop_per_s: Optional[float]
    """dense peak"""
    bf16_flop_per_s: Optional[float]
    """dense peak"""
    fp8_flop_per_s: Optional[float]
    """dense peak"""
    fp4_flop_per_s: Optional[float]
    """dense peak"""
    nvlink_bytes_per_s_one_way: Optional[float]
    """to its NVLink domain"""
    pcie_bytes_per_s_one_way: Optional[float]
    """to the host"""
    power_w: Optional[float]
    """power limit"""


class ListNodesAnswer(Answer):
    """Answer of list nodes."""

    schema: Literal["plan3d/1"]
    """contract of the document: its keys keep their names"""
    schema_version: Literal["1.1"]
    """of the contract: grows where keys are added, or say something else (docs/json.md)"""
    command: Literal["list"]
    """always the same"""
    what: Literal["nodes"]
    """always the same"""

    @property
    def rows(self) -> List[ListNodesItem]:
        """all of them"""
        return [ListNodesItem(row) for row in self.raw["items"]]


class ListNodesItem(Record):
    """A type of node."""

    name: str
    """name of the node type"""
    fabric: str
    """type of its network"""
    gpu: str
    """that it is rented or bought with; empty = any"""
    gpus_per_node: int
    """GPUs"""
    gpus_per_nvlink_domain: int
    """GPUs that NVLink joins; 1 = none"""
    nvswitch: bool
    """NVLink goes through switches"""
    nics_per_node: int
    """network adapters"""
    host_memory_bytes: int
    """main memory"""
    host_memory_bytes_per_s: float
    """its rate, reads plus writes"""
    host_time_factor: Optional[float]
    """time of launches over an x86 server's"""


class ListFabricsAnswer(Answer):
    """Answer of list fabrics."""

    schema: Literal["plan3d/1"]
    """contract of the document: its keys keep their names"""
    schema_version: Literal["1.1"]
    """of the contract: grows where keys are added, or say something else (docs/json.md)"""
    command: Literal["list"]
    """always the same"""
    what: Literal["fabrics"]
    """always the same"""

    @property
    def rows(self) -> List[ListFabricsItem]:
        """all of them"""
        return [ListFabricsItem(row) for row in self.raw["items"]]


class ListFabricsItem(Record):
    """A type of network."""

    name: str
    """name of the network"""
    kind: str
    """infiniband, roce, ethernet, ..."""
    nic_bytes_per_s_one_way: float
    """rate of one adapter"""
    latency_s: float
    """of a collective over two nodes"""
    all_reduce_frac: float
    """of the rate that all-reduce reaches"""
    all_gather_frac: float
    """of the rate that all-gather reaches"""
    p2p_frac: float
    """of the rate that send and receive reach"""


class ListCalibrationsAnswer(Answer):
    """Answer of list calibrations."""

    schema: Literal["plan3d/1"]
    """contract of the document: its keys keep their names"""
    schema_version: Literal["1.1"]
    """of the contract: grows where keys are added, or say something else (docs/json.md)"""
    command: Literal["list"]
    """always the same"""
    what: Literal["calibrations"]
    """always the same"""

    @property
    def rows(self) -> List[ListCalibrationsItem]:
        """all of them"""
        return [ListCalibrationsItem(row) for row in self.raw["items"]]


class ListCalibrationsItem(Record):
    """A set of constants."""

    name: str
    """name of --calibration"""
    basis: str
    """GPU that was measured"""
    device: str
    """that its owner measured; empty: published kernels"""
    driver: str
    """of that device"""
    date: str
    """of the measurements, UTC"""
    gemm_error_frac: float
    """of 16-bit GEMMs, held out"""
    fp8_error_frac: Optional[float]
    """of fp8 GEMMs"""
    nvfp4_error_frac: Optional[float]
    """of nvfp4 GEMMs"""
    attention_error_frac: Optional[float]
    """of cuDNN's attention, or of what stands for it"""
    pass_error_frac: Optional[float]
    """of memory-bound kernels"""
    collective_error_frac: Optional[float]
    """of collectives in a node"""


class ListFrameworksAnswer(Answer):
    """Answer of list frameworks."""

    schema: Literal["plan3d/1"]
    """contract of the document: its keys keep their names"""
    schema_version: Literal["1.1"]
    """of the contract: grows where keys are added, or say something else (docs/json.md)"""
    command: Literal["list"]
    """always the same"""
    what: Literal["frameworks"]
    """always the same"""

    @property
    def rows(self) -> List[ListFrameworksItem]:
        """all of them"""
        return [ListFrameworksItem(row) for row in self.raw["items"]]


class ListFrameworksItem(Record):
    """A training framework."""

    name: Optional[str]
    """name on the command line"""
    title: Optional[str]
    """in words"""
    versions: Optional[str]
    """that the facts were read from"""
    aliases: str
    """other names on the command line, with commas"""
    standing: Literal["current", "past", "profile"]
    """whether --framework any takes it: current ones alone"""
    zero_stages: str
    """ZeRO stages without pipelines"""
    zero_stages_pipeline: str
    """ZeRO stages with pipelines"""
    pipeline: bool
    """pipeline parallelism"""
    interleaved: bool
    """interleaved schedule"""
    context_parallel: bool
    """context parallelism"""
    expert_parallel: bool
    """expert parallelism"""
    optimizer_offload: bool
    """optimizer states in host memory"""
    parameter_offload: bool
    """weights in host memory"""
    activation_offload: bool
    """saved activations in host memory"""
