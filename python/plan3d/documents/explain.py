# SPDX-License-Identifier: GPL-3.0-or-later
# Made by tests/tools/python-classes (make docs).
"""plan3d explain"""

from __future__ import annotations

from typing import List, Literal, Optional

from .._answer import Answer
from .._record import Record
from .shared import (
    Cluster, Job, MeasuredRun, Model, Plan, PlanValues, PoolsClass, PoolsLink, PoolsPlan, PoolsPool,
    Search,
)


class ExplainMemoryAnswer(Answer):
    """Answer of plan3d explain."""

    schema: Literal["plan3d/1"]
    """contract of the document: its keys keep their names"""
    schema_version: Literal["1.1"]
    """of the contract: grows where keys are added, or say something else (docs/json.md)"""
    command: Literal["explain"]
    """always the same"""
    fits: bool
    """the answer is yes"""
    model: Model
    """the model"""
    cluster: Cluster
    """the cluster"""
    job: Job
    """the training job"""
    topic: Literal["memory"]
    """always the same"""
    estimate: Optional[Plan]
    """the plan that is explained"""
    assumed: List[str]
    """defaults and constants that the answer rests on"""

    @property
    def rows(self) -> List[ExplainMemoryItem]:
        """alive on the tight rank at its peak, largest first by term"""
        return [ExplainMemoryItem(row) for row in self.raw["items"]]


class ExplainMemoryItem(Record):
    """A line of the table of tensors."""

    term: Optional[str]
    """of the memory that it belongs to"""
    name: Optional[str]
    """of the tensor or buffer"""
    shape: str
    """of one tensor, on this rank"""
    n_tensors: int
    """layers times micro-batches"""
    bytes: int
    """of all of them"""
    why: Optional[str]
    """it is alive"""
    source: Optional[str]
    """where that was read"""


class ExplainWhyAnswer(Answer):
    """Answer of plan3d explain why."""

    schema: Literal["plan3d/1"]
    """contract of the document: its keys keep their names"""
    schema_version: Literal["1.1"]
    """of the contract: grows where keys are added, or say something else (docs/json.md)"""
    command: Literal["explain"]
    """always the same"""
    fits: bool
    """the answer is yes"""
    model: Model
    """the model"""
    cluster: Cluster
    """the cluster"""
    job: Job
    """the training job"""
    topic: Literal["why"]
    """always the same"""
    best: Optional[Plan]
    """the recommended plan"""
    closest: Optional[Plan]
    """when none fits, the one that misses least"""
    search: Search
    """how the plans were found"""
    decisions: List[ExplainWhyDecision]
    """for each value of each, the best plan that has it"""
    assumed: List[str]
    """defaults and constants that the answer rests on"""


class ExplainWhyDecision(Record):
    """A decision and what it costs."""

    word: Optional[str]
    """of the plan: tp, zero"""
    doc: Optional[str]
    """what it is"""
    choices: List[ExplainWhyChoice]
    """values, ascending"""


class ExplainWhyChoice(Record):
    """The best plan that has a value."""

    value: str
    """of the decision"""
    chosen: bool
    """it is the best plan's own"""
    legal: bool
    """some plan with it is legal"""
    fits: bool
    """some legal plan with it fits"""
    words: Optional[str]
    """the fastest sure one, or the one that misses least, as --plan reads it"""
    step_s: Optional[float]
    """one optimizer step of it"""
    slower_frac: Optional[float]
    """its step over the best plan's, less 1; null unless both fit"""
    more: Optional[ExplainMoreTime]
    """its step less the best plan's; null unless both fit"""
    peak_bytes: Optional[int]
    """taken from the device"""
    missing_bytes: int
    """of the device"""
    largest: Optional[str]
    """term of its memory, where it does not fit"""
    largest_bytes: Optional[int]
    """of that term"""
    rule: Optional[str]
    """that refuses it"""
    reason: Optional[str]
    """why it is rejected"""


class ExplainMoreTime(Record):
    """Difference of two steps, by terms."""

    gemm_s: float
    """GEMMs"""
    attention_s: float
    """attention core"""
    memory_pass_s: float
    """memory-bound kernels"""
    recompute_s: float
    """recomputation"""
    host_s: float
    """kernel launch overhead"""
    tp_comm_s: float
    """tensor-parallel communication"""
    cp_comm_s: float
    """context-parallel communication"""
    ep_comm_s: float
    """expert-parallel communication"""
    pp_bubble_s: float
    """pipeline bubble"""
    pp_comm_s: float
    """pipeline P2P"""
    dp_comm_s: float
    """exposed data-parallel communication"""
    optimizer_s: float
    """optimizer step"""
    offload_s: float
    """exposed CPU offload"""
    straggler_s: float
    """straggler wait"""
    fixed_s: float
    """fixed cost of a step"""


class ExplainCompareAnswer(Answer):
    """Answer of plan3d explain --compare."""

    schema: Literal["plan3d/1"]
    """contract of the document: its keys keep their names"""
    schema_version: Literal["1.1"]
    """of the contract: grows where keys are added, or say something else (docs/json.md)"""
    command: Literal["explain"]
    """always the same"""
    fits: bool
    """the answer is yes"""
    model: Model
    """the model"""
    cluster: Cluster
    """the cluster"""
    job: Job
    """the training job"""
    topic: Literal["compare"]
    """always the same"""
    comparison: ExplainCompareComparison
    """two plans side by side"""
    assumed: List[str]
    """defaults and constants that the answer rests on"""


class ExplainCompareComparison(Record):
    """Two plans side by side."""

    first: ExplainCompareSide
    """one of two plans"""
    second: ExplainCompareSide
    """one of two plans"""
    faster: Optional[str]
    """first or second; null when they are equal or do not both fit"""
    slower_frac: Optional[float]
    """the second's step over the first's, less 1"""
    more_time: Optional[ExplainMoreTime]
    """of the second: its step less the first's"""
    more_memory: Optional[ExplainCompareMoreMemory]
    """of the second: its tight rank's peak less the first's"""


class ExplainCompareSide(Record):
    """One of two plans."""

    asked: Optional[str]
    """as it was asked for; null: the best plan"""
    is_search: bool
    """the recommended plan with the values that were asked for"""
    rule: Optional[str]
    """that rejects it; null when it is legal"""
    reason: Optional[str]
    """why it is rejected"""
    answer: Optional[Plan]
    """null when it is not legal"""


class ExplainCompareMoreMemory(Record):
    """Difference of two peaks, by terms."""

    weights_bytes: int
    """weights"""
    gradients_bytes: int
    """gradients"""
    optimizer_bytes: int
    """optimizer states"""
    activations_bytes: int
    """saved activations"""
    working_bytes: int
    """temporary tensors at the peak"""
    buffers_bytes: int
    """communication buffers"""
    workspace_bytes: int
    """library workspaces"""
    fragmentation_bytes: int
    """allocator fragmentation"""
    context_bytes: int
    """context and communicators"""


class ExplainSensitivityAnswer(Answer):
    """Answer of plan3d explain ... sensitivity."""

    schema: Literal["plan3d/1"]
    """contract of the document: its keys keep their names"""
    schema_version: Literal["1.1"]
    """of the contract: grows where keys are added, or say something else (docs/json.md)"""
    command: Literal["explain"]
    """always the same"""
    fits: bool
    """the answer is yes"""
    model: Model
    """the model"""
    cluster: Cluster
    """the cluster"""
    job: Job
    """the training job"""
    topic: Literal["sensitivity"]
    """always the same"""
    estimate: Optional[Plan]
    """the plan whose choice is judged"""
    sensitivity: Optional[ExplainSensitivity]
    """null when the plan does not fit"""
    assumed: List[str]
    """defaults and constants that the answer rests on"""


class ExplainSensitivity(Record):
    """How sure the choice of a plan is."""

    constants: List[ExplainSensitivityConstant]
    """that step times rest on"""
    plans: List[ExplainSensitivityPlan]
    """the choice, then those that are the fastest most often"""
    fastest: int
    """number, with the constants as they are"""
    safest: int
    """number of the plan with the least mean regret"""
    measure_first: Optional[str]
    """constant whose knowledge saves the most; null = none pays"""
    elasticity_sum: float
    """of the constants that are times: 1 less the share of fixed starts"""
    near_limit_frac: float
    """longer than the fastest is near it"""
    near_frac: float
    """of the draws in which the choice is near"""
    win_frac: float
    """of the draws in which the choice is the fastest"""
    regret_frac: float
    """of the choice, mean over the draws"""
    regret_p95_frac: float
    """95 % of the draws have less"""
    step_p10_s: float
    """10 % of the draws have shorter steps"""
    step_p50_s: float
    """half of the draws have shorter steps"""
    step_p90_s: float
    """90 % of the draws have shorter steps"""
    widest_factor: float
    """constants are changed up to this and 1/this"""
    n_draws: int
    """of all constants within their errors"""
    seed: int
    """of the draws"""
    n_searches: int
    """exact searches with changed constants"""
    n_found: int
    """plans that only these found"""
    n_searched_draws: int
    """of the searches, at draws"""
    n_known_draws: int
    """of these, whose best plan was compared already"""
    seconds: float
    """time that it took"""


class ExplainSensitivityConstant(Record):
    """A constant that times rest on."""

    name: Optional[str]
    """of the constant"""
    measure: Optional[str]
    """what to run on the machine"""
    sigma: float
    """standard error of its logarithm"""
    elasticity: float
    """relative change of the step per relative change of the constant"""
    less: ExplainSensitivityTurn
    """where another plan becomes the faster one (or, when the choice is not the fastest, where it
    becomes that)"""
    more: ExplainSensitivityTurn
    """where another plan becomes the faster one (or, when the choice is not the fastest, where it
    becomes that)"""
    worth_frac: float
    """expected regret that knowing it saves, of the step"""
    worth_error_frac: float
    """standard error of that"""


class ExplainSensitivityTurn(Record):
    """Where another plan becomes the faster one (or, when the choice is not the fastest, where it
    becomes that)."""

    factor: Optional[float]
    """on the constant; null = the choice keeps its place"""
    number: Optional[int]
    """of the plan that is faster there"""


class ExplainSensitivityPlan(Record):
    """A plan that was compared."""

    number: int
    """from 1, the choice"""
    words: str
    """the plan as --plan reads it"""
    plan: PlanValues
    """how the job is spread over the GPUs"""
    step_s: float
    """with the constants as they are"""
    win_frac: float
    """of the draws in which it is the fastest"""
    regret_frac: float
    """time over that of the fastest, less 1, mean over the draws"""


class ExplainEvidenceAnswer(Answer):
    """Answer of plan3d explain ... evidence."""

    schema: Literal["plan3d/1"]
    """contract of the document: its keys keep their names"""
    schema_version: Literal["1.1"]
    """of the contract: grows where keys are added, or say something else (docs/json.md)"""
    command: Literal["explain"]
    """always the same"""
    fits: bool
    """the answer is yes"""
    model: Model
    """the model"""
    cluster: Cluster
    """the cluster"""
    job: Job
    """the training job"""
    topic: Literal["evidence"]
    """always the same"""
    estimate: Optional[Plan]
    """the plan that runs are near to"""
    nearest: List[MeasuredRun]
    """the nearest measured runs, near or not"""
    assumed: List[str]
    """defaults and constants that the answer rests on"""


class ExplainErrorAnswer(Answer):
    """Answer of plan3d explain ... error."""

    schema: Literal["plan3d/1"]
    """contract of the document: its keys keep their names"""
    schema_version: Literal["1.1"]
    """of the contract: grows where keys are added, or say something else (docs/json.md)"""
    command: Literal["explain"]
    """always the same"""
    fits: bool
    """the answer is yes"""
    model: Model
    """the model"""
    cluster: Cluster
    """the cluster"""
    job: Job
    """the training job"""
    topic: Literal["error"]
    """always the same"""
    estimate: Optional[Plan]
    """the plan whose step is in doubt"""
    error: ExplainError
    """the error of a step by its terms"""
    assumed: List[str]
    """defaults and constants that the answer rests on"""


class ExplainError(Record):
    """The error of a step by its terms."""

    scale: float
    """of the step's ln(measured / predicted): 5 of 8 are within"""
    flat_scale: float
    """of any step, by all runs alike"""
    n_runs: int
    """measured runs that it was found from"""
    n_sources: int
    """of these runs"""
    n_better: int
    """of these sources: foretold better by the terms than by flat_scale, both from the other
    sources"""
    terms: List[ExplainErrorTerm]
    """the largest part of the error first"""
    cures: List[ExplainErrorCure]
    """what takes away most first"""


class ExplainErrorTerm(Record):
    """How wrong a term is."""

    name: Optional[str]
    """of the term, or "unexplained\""""
    step_frac: float
    """share of this step; of the unexplained 1"""
    scale: float
    """of the term's ln(measured / predicted): 5 of 8 are within"""
    least_scale: float
    """the least, without one source"""
    most_scale: float
    """the most, without one source"""
    variance_frac: float
    """of the squared error of this step"""
    n_runs: int
    """measured runs that spend 5 % of their step there"""
    n_sources: int
    """of these runs"""


class ExplainErrorCure(Record):
    """A measurement and what it is worth."""

    name: Optional[str]
    """of what is measured"""
    measure: Optional[str]
    """what to run"""
    variance_frac: float
    """of the squared error, taken away at most"""
    left_scale: float
    """of the step's error, what is left at least"""
    n_runs: Optional[int]
    """that say so; null: the terms and the constants do"""
    n_sources: Optional[int]
    """of these runs; null likewise"""


class ExplainNetworkAnswer(Answer):
    """Answer of plan3d explain ... network."""

    schema: Literal["plan3d/1"]
    """contract of the document: its keys keep their names"""
    schema_version: Literal["1.1"]
    """of the contract: grows where keys are added, or say something else (docs/json.md)"""
    command: Literal["explain"]
    """always the same"""
    fits: bool
    """the answer is yes"""
    model: Model
    """the model"""
    cluster: Cluster
    """the cluster"""
    job: Job
    """the training job"""
    topic: Literal["network"]
    """always the same"""
    estimate: Optional[Plan]
    """the plan that uses the network"""
    network: ExplainNetwork
    """the network under a plan"""
    assumed: List[str]
    """defaults and constants that the answer rests on"""


class ExplainNetwork(Record):
    """The network under a plan."""

    tight: Optional[ExplainNetworkCut]
    """the cut that costs the most; null: none costs anything"""
    cuts: List[ExplainNetworkCut]
    """from the nodes up"""
    loads: List[ExplainNetworkLoad]
    """of each cut, by axis"""
    changes: List[ExplainNetworkChange]
    """what others would give"""


class ExplainNetworkCut(Record):
    """A cut of the network."""

    tier: int
    """0: the network cards of a node (of an NVLink domain); 1: the links up of a switch of the
    first tier, and so on"""
    gpus_below: int
    """GPUs whose traffic crosses; 0: all of the job, so nothing does"""
    bytes_per_s: float
    """of its links, one way"""
    cost_s: float
    """that a step takes less where these links are unlimited; of the cards, on a network with
    nothing tight above them"""
    cost_frac: float
    """of the step"""
    term: Optional[str]
    """of the step that it adds most to; null: none"""


class ExplainNetworkLoad(Record):
    """What the groups of an axis send through a cut."""

    axis: Optional[str]
    """whose groups send, all at once"""
    pattern: Optional[str]
    """ring, all-to-all, or neighbours of a pipeline"""
    n_ranks: int
    """of a group"""
    tier: int
    """of the cut"""
    load_frac: float
    """of the GPUs below, those that send up at once; of an all-to-all, of their bytes"""
    spread_frac: float
    """of the links that hashed flows reach; 1: all"""
    of_cards_frac: float
    """time over that of the network cards; above 1 the cut is tighter than these"""


class ExplainNetworkChange(Record):
    """The plan with another network, or order."""

    what: Optional[str]
    """option, or value of the plan"""
    step_s: float
    """of the same plan with it"""
    slower_frac: float
    """over the step as asked"""


class ExplainPoolsNetworkAnswer(Answer):
    """Answer of plan3d explain ... network on pools of several types."""

    schema: Literal["plan3d/1"]
    """contract of the document: its keys keep their names"""
    schema_version: Literal["1.1"]
    """of the contract: grows where keys are added, or say something else (docs/json.md)"""
    command: Literal["explain"]
    """always the same"""
    topic: Literal["pools_network"]
    """always the same"""
    fits: bool
    """the plan of the pools is sure to fit, or some pool alone is"""
    model: Optional[str]
    """its name"""
    seq_len: int
    """tokens per sequence"""
    global_batch: int
    """sequences per step"""
    pools: List[PoolsPool]
    """of the cluster"""
    links: List[PoolsLink]
    """between the pools"""
    plan: Optional[PoolsPlan]
    """the fastest, and its certificate"""
    classes: List[PoolsClass]
    """replicas of the plan"""
    tight: Optional[ExplainPoolsNetworkCut]
    """the links that cost the most; null: none cost anything"""
    cuts: List[ExplainPoolsNetworkCut]
    """links, pool by pool, then those between pools"""
    loads: List[ExplainPoolsNetworkLoad]
    """of each cut, by axis"""
    changes: List[ExplainPoolsNetworkChange]
    """what others would give"""


class ExplainPoolsNetworkCut(Record):
    """Links of a pool, or between two pools."""

    pool: Optional[str]
    """its name"""
    to: Optional[str]
    """of links between two pools, the other; null: of a pool's own"""
    tier: int
    """0: the network cards of a node (of an NVLink domain), or links between pools; 1: the links up
    of a switch of the first tier, and so on"""
    gpus_below: int
    """GPUs whose traffic crosses; 0: all of the pool, so nothing does"""
    bytes_per_s: float
    """of its links, one way; between pools, of a node"""
    cost_s: float
    """that a step takes less where these links are unlimited; of the cards, on a network with
    nothing tight above them"""
    cost_frac: float
    """of the step"""
    pipeline_s: float
    """of the cost, that of pipelines; the rest is of the exchange of gradients"""


class ExplainPoolsNetworkLoad(Record):
    """What stages of a pool send through its links."""

    cut: int
    """in the list of cuts, from 0"""
    axis: Optional[str]
    """dp: the gradients of all replicas; pp: stages of a pipeline"""
    pattern: Optional[str]
    """ring, or neighbours"""
    load_frac: float
    """of the GPUs below, those that send up at once; of the stages of the pool, those that find it
    the tightest"""
    spread_frac: float
    """of the links that hashed flows reach; 1: all"""
    of_cards_frac: float
    """time over that of the network cards; above 1 the cut is tighter than these"""


class ExplainPoolsNetworkChange(Record):
    """The plan of pools on another network."""

    what: Optional[str]
    """an option for all pools, or links twice as fast"""
    step_s: float
    """of the same plan with it"""
    slower_frac: float
    """over the step as asked"""
