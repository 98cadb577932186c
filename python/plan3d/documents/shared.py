# SPDX-License-Identifier: GPL-3.0-or-later
# Made by tests/tools/python-classes (make docs).
"""Objects that several answers have."""

from __future__ import annotations

from typing import List, Literal, Optional

from .._record import Estimated, Record


class Model(Record):
    """The model."""

    asked: Optional[str]
    """the model as it was asked for"""
    name: Optional[str]
    """name of the model"""
    family: Optional[str]
    """Hugging Face model_type"""
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
    head_dim: int
    """width of a query head"""
    ffn: Optional[int]
    """width of a dense MLP"""
    vocab: int
    """vocabulary before padding"""
    n_experts: int
    """experts of a layer; 0 = dense model"""
    top_k: int
    """experts that a token is sent to"""
    expert_ffn: int
    """width of an expert"""
    max_positions: Optional[int]
    """tokens of the longest sequence that it was made for"""
    tower: Optional[str]
    """key of the file that says what it sees or hears with; empty: none that is counted"""
    tower_parameters: int
    """of these, of its tower and the projector"""
    not_counted: Optional[str]
    """keys of parts of the model that are not counted"""


class Cluster(Record):
    """The cluster."""

    asked: Optional[str]
    """the cluster as it was asked for"""
    name: Optional[str]
    """the cluster in words"""
    n_gpus: int
    """GPUs"""
    n_nodes: int
    """nodes"""
    gpus_per_node: int
    """GPUs used of each node"""
    gpus_per_nvlink_domain: int
    """GPUs that reach each other over NVLink; 1 = none"""
    nics_per_node: int
    """network adapters of a node"""
    gpu: Optional[str]
    """type of GPU"""
    node: Optional[str]
    """type of node"""
    fabric: Optional[str]
    """type of network"""
    memory_bytes: int
    """of a GPU, nominal"""
    visible_memory_bytes: int
    """of a GPU, as the driver shows it"""
    hbm_bytes_per_s: float
    """of a GPU, data sheet"""
    peak_flop_per_s: float
    """of a GPU, dense, of the job's data type"""
    nvlink_bytes_per_s_one_way: Optional[float]
    """of a GPU"""
    nic_bytes_per_s_one_way: Optional[float]
    """of an adapter"""
    tiers: Optional[List[Tier]]
    """switches above the nodes, from the nodes up; absent: none that may be tight"""
    placement: Optional[str]
    """of the nodes below these switches"""
    rails: Optional[bool]
    """a leaf switch has one card of each node; absent: all of them"""
    calibration: Optional[str]
    """set of constants"""
    calibration_basis: Optional[str]
    """GPU that the constants are of"""


class Tier(Record):
    """A tier of switches."""

    nodes_below: int
    """nodes below a switch; with rails, below the switches of a node"""
    oversubscription: Optional[float]
    """rate from below over the rate up; absent = 1, as much"""
    uplink_bytes_per_s: Optional[float]
    """rate of all links up of a switch, one way, bytes/s; in place of oversubscription"""
    routing: Optional[Literal["adaptive", "ecmp"]]
    """adaptive: packets take the link that is least full (the default); ecmp: a hash of each flow
    chooses its link"""
    flows_per_nic: Optional[int]
    """with ecmp: flows (queue pairs) of a network card to one peer; absent = 1"""


class Job(Record):
    """The training job."""

    seq_len: int
    """tokens per sequence"""
    global_batch: int
    """sequences per step"""
    tokens_per_step: int
    """sequences x tokens"""
    n_tokens: Optional[float]
    """tokens of the whole training"""
    dtype: Literal["fp32", "fp16", "bf16", "fp8", "nvfp4"]
    """data type of the GEMMs"""
    optimizer: Literal["adam", "sgd", "adam-8bit", "adafactor", "lion", "muon"]
    """optimizer"""
    attention: Literal[
        "flash", "eager", "efficient", "flash1", "flash2", "flash3", "cudnn", "flash4",
    ]
    """attention kernel"""
    loss: Optional[str]
    """implementation of the cross entropy"""
    asynchronous: bool
    """weights may be updated a step late"""
    tp_overlap: bool
    """tensor-parallel communication in pieces beside products"""
    partition_activations: bool
    """tensor-parallel ranks share out the inputs that full recomputation keeps"""
    unit_params: int
    """the fewest parameters of a unit of FSDP1; 0: each layer is one"""
    dp_overlap: Literal["usual", "on", "off"]
    """data-parallel communication beside the passes"""
    reduce_dtype: Optional[str]
    """of gradients that data-parallel ranks exchange"""
    dispatcher: Optional[str]
    """transport of tokens to experts"""
    expert_overlap: bool
    """that transport runs beside another micro-batch"""
    graphs: Literal["none", "layers", "step"]
    """what CUDA graphs launch"""
    launch_blocking: bool
    """kernels are launched one at a time"""
    gc_interval: int
    """steps from one collection of Python's garbage to the next; 0: none"""
    dropout: bool
    """dropout masks are kept"""
    lora: str
    """adapters that are trained beside frozen weights, as --lora says them; empty: none"""
    compress: str
    """how data-parallel ranks send less, as --compress says it; empty: they do not"""
    sparse_attention: str
    """blocks that attention sees, as --sparse-attention says them; empty: as the model's file has
    it"""
    freeze: str
    """parts that are not trained, as --freeze says them; empty: none"""
    reference: Optional[str]
    """whose log-probabilities preference training holds its own against (none, self, precomputed,
    pairs, kto)"""
    teacher: str
    """frozen model that a distillation learns from; empty: none"""
    filling: Literal["whole", "packed", "padded"]
    """how texts lie in the sequences"""
    mean_text_tokens: Optional[float]
    """tokens of a text in the mean, as --lengths says"""
    tower_frozen: str
    """parts of the tower that are not trained, with adapters as well"""
    images: int
    """images, or clips of sound, of a sequence"""
    image_tokens: int
    """tokens of each of them"""
    framework: Optional[str]
    """training framework"""
    framework_versions: Optional[str]
    """that the rules were read from"""
    frameworks: List[Framework]
    """that were compared, the best first; empty but for any"""
    reserve_bytes: int
    """kept free on each GPU"""
    usd_per_gpu_h: Optional[float]
    """price of a GPU-hour"""
    own_runs: int
    """measured runs of the user's own that the step follows"""
    own_runs_step_factor: Optional[float]
    """by which they made the step longer"""


class Framework(Record):
    """What one framework can do."""

    name: Optional[str]
    """training framework"""
    verdict: Literal["fits", "slower", "too large", "refused"]
    """on the job, or on the plan asked for"""
    step_s: Optional[float]
    """its fastest plan that fits"""
    slower_frac: Optional[float]
    """how much longer than the first it takes"""
    missing_bytes: int
    """of a GPU, that its closest plan lacks"""
    node_bytes: int
    """of host memory and NVMe, that this plan takes"""
    reason: str
    """why it is rejected, or empty"""


class Plan(Estimated):
    """One plan, estimated."""

    words: str
    """the plan as --plan reads it"""
    recompute_words: str
    """as in words"""
    offload_words: str
    """as in words"""
    verdict: Literal["fits", "fits_barely", "does_not_fit"]
    """fits: as sure as was asked; fits_barely: by the estimate"""
    fits: bool
    """by the estimate"""
    fit_probability_frac: float
    """of fitting, by measured peaks of this framework and others"""
    departures: str
    """from what the framework does by itself, the gravest first"""
    missing_bytes: int
    """0 when it fits"""
    memory: Memory
    """memory of a GPU"""
    time: Time
    """time of a step"""
    n_micro_batches: int
    """of a replica and step"""
    tokens_per_s: float
    """of the whole cluster"""
    low_tokens_per_s: float
    """lower end of its range"""
    high_tokens_per_s: float
    """upper end of its range"""
    tokens_per_s_per_gpu: float
    """of one GPU"""
    low_tokens_per_s_per_gpu: float
    """lower end of its range"""
    high_tokens_per_s_per_gpu: float
    """upper end of its range"""
    mfu_frac: float
    """model FLOPs without recomputation, of the dense peak"""
    hfu_frac: float
    """model FLOPs with recomputation, of the dense peak"""
    billion_tokens_usd: Optional[float]
    """rent for 1e9 tokens: with failures where tokens were asked (--tokens), else if nothing
    fails"""
    low_billion_tokens_usd: Optional[float]
    """lower end of its range"""
    high_billion_tokens_usd: Optional[float]
    """upper end of its range"""
    training: Optional[Training]
    """of n_tokens, where that was asked"""
    why_not_first: Optional[str]
    """term of time that grew most against the first plan"""


class PlanValues(Record):
    """How the job is spread over the GPUs."""

    tp: int
    """tensor-parallel ranks"""
    pp: int
    """pipeline ranks"""
    dp: int
    """data-parallel replicas"""
    cp: int
    """context-parallel ranks"""
    ulysses: int
    """of these, ranks that exchange heads; 0 = as the job says"""
    ep: int
    """expert-parallel ranks"""
    etp: int
    """tensor-parallel ranks of an expert"""
    vp: int
    """virtual stages (chunks) of a pipeline rank"""
    micro_batch: int
    """sequences of a micro-batch"""
    zero: int
    """ZeRO stage"""
    sequence_parallel: bool
    """with tensor parallelism"""
    shard: int
    """replicas that share the states; 0 = all"""
    first_layers: int
    """of the first stage or chunk; 0 = as the others"""
    last_layers: int
    """of the last stage or chunk; 0 = as the others"""
    short_chunk: int
    """chunk, counted from 0, with fewer layers than those beside it; 0 = none"""
    tail: Literal["layers", "head", "mtp-head"]
    """chunks without layers at the end of the pipeline"""
    uneven: bool
    """chunks may differ by a layer"""
    group: int
    """micro-batches in a row, interleaved; 0 = as many as pp"""
    recompute: Literal["none", "selective", "full"]
    """activations that the backward pass computes again"""
    recompute_layers: int
    """of a chunk, with full recomputation; 0 = all"""
    recompute_group: int
    """layers recomputed together, with full recomputation; 0 = 1"""
    offload: Literal["none", "optimizer", "optimizer+parameters"]
    """states in host memory"""
    offload_frac: float
    """of the optimizer's states, offloaded; 0 = none, 1 = all"""
    offload_nvme: bool
    """states on NVMe instead of host memory"""
    activation_offload_frac: float
    """of the saved activations, in host memory"""
    schedule: Literal[
        "1f1b", "gpipe", "interleaved", "zb-h1", "zb-h2", "zb-v", "dualpipe-v", "2bw", "naive",
        "pipedream",
    ]
    """pipeline schedule"""
    order: Literal["tp-cp-ep-dp-pp", "tp-cp-ep-pp-dp"]
    """which ranks are neighbours, the innermost first"""


class Memory(Record):
    """Memory of a GPU."""

    peak_bytes: int
    """taken from the device on the tight rank"""
    usable_bytes: int
    """visible memory of a GPU less what --reserve keeps free"""
    margin_bytes: int
    """usable less peak"""
    allocated_bytes: int
    """handed out by the allocator"""
    reserved_bytes: int
    """taken by the allocator"""
    ranges: MemoryRanges
    """how sure the three numbers are"""
    host_bytes_per_node: int
    """host memory that offloading takes of a node"""
    pinned_bytes_per_node: int
    """of these, locked in memory"""
    nvme_bytes_per_node: int
    """NVMe that offloading takes of a node"""
    tight_stage: int
    """pipeline rank with the highest peak"""
    error_frac: float
    """half width of the peak's range"""
    terms: MemoryTerms
    """memory of one GPU, by terms"""
    stages: List[Stage]
    """every pipeline rank"""


class MemoryRanges(Record):
    """How sure the three numbers are."""

    allocated: BytesRange
    """where a number of bytes lies"""
    reserved: BytesRange
    """where a number of bytes lies"""
    device: BytesRange
    """where a number of bytes lies"""


class BytesRange(Record):
    """Where a number of bytes lies."""

    low_bytes: int
    """lower end"""
    high_bytes: int
    """upper end"""


class MemoryTerms(Record):
    """Memory of one GPU, by terms."""

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


class Stage(Record):
    """Memory of one pipeline rank."""

    stage: int
    """pipeline rank, from 0"""
    n_layers: int
    """decoder layers on it"""
    in_flight_micro_batches: float
    """micro-batches whose activations are alive"""
    peak_bytes: int
    """taken from the device"""
    moment: Optional[str]
    """of that pass"""
    terms: MemoryTerms
    """memory of one GPU, by terms"""


class Time(Record):
    """Time of a step."""

    step_s: float
    """one optimizer step"""
    low_s: float
    """lower end of the step's range"""
    median_s: float
    """of runs like it half are slower"""
    high_s: float
    """upper end of the step's range"""
    confidence_frac: float
    """share of runs in the range"""
    range_constants: Optional[str]
    """the constants whose error widens it most"""
    range_constants_error_frac: float
    """standard error of the step by these alone"""
    terms: TimeTerms
    """seconds of one step, by terms"""


class TimeTerms(Record):
    """Seconds of one step, by terms."""

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


class Training(Record):
    """A whole training."""

    progresses: bool
    """false: it fails faster than it works, and has no real days"""
    ideal_s: Optional[float]
    """of its steps, if nothing fails"""
    low_ideal_s: Optional[float]
    """lower end of its range"""
    high_ideal_s: Optional[float]
    """upper end of its range; null: unknown, or it never ends"""
    save_s: float
    """during which checkpoints stop the steps"""
    lost_s: float
    """of work that failures undo"""
    restart_s: float
    """after failures"""
    waiting_s: float
    """for broken nodes, when all spares are in use"""
    away_s: float
    """during which the cluster is taken away"""
    real_s: Optional[float]
    """sum of these six"""
    low_real_s: Optional[float]
    """lower end of its range"""
    high_real_s: Optional[float]
    """upper end of its range; null: unknown, or it never ends"""
    goodput_frac: Optional[float]
    """ideal_s over real_s"""
    checkpoint_bytes: int
    """weights and states of the whole model"""
    write_s: float
    """of one checkpoint to the storage, and to read it"""
    pause_s: float
    """that one checkpoint stops the steps for"""
    checkpoint_interval_s: Optional[float]
    """of steps between checkpoints, the best"""
    checkpoint_interval_steps: Optional[int]
    """the same in steps"""
    young_interval_s: Optional[float]
    """by Young's formula"""
    daly_interval_s: Optional[float]
    """by Daly's formula"""
    mtbf_s: float
    """between failures of the job"""
    n_failures: Optional[float]
    """expected"""
    low_n_failures: Optional[float]
    """lower end of its range"""
    high_n_failures: Optional[float]
    """upper end of its range; null: unknown, or it never ends"""
    n_preemptions: float
    """times that the cluster is taken away, expected"""
    saves_at_notice: bool
    """the notice of these is enough to save all work"""
    n_spare_nodes: int
    """paid for, and waiting"""
    availability_frac: Optional[float]
    """of the time, enough nodes are whole"""
    power_w: Optional[float]
    """of all nodes in use while steps run"""
    energy_kwh: Optional[float]
    """of the whole training, with the site's"""
    low_energy_kwh: Optional[float]
    """lower end of its range"""
    high_energy_kwh: Optional[float]
    """upper end of its range; null: unknown, or it never ends"""
    billion_tokens_kwh: Optional[float]
    """of 1e9 tokens, with the site's"""
    low_billion_tokens_kwh: Optional[float]
    """lower end of its range"""
    high_billion_tokens_kwh: Optional[float]
    """upper end of its range; null: unknown, or it never ends"""
    gpu_h: Optional[float]
    """GPU hours of the wall-clock time but away_s, spares too"""
    low_gpu_h: Optional[float]
    """lower end of its range"""
    high_gpu_h: Optional[float]
    """upper end of its range; null: unknown, or it never ends"""
    rent_usd: Optional[float]
    """GPU hours of the wall-clock time, spares too"""
    low_rent_usd: Optional[float]
    """lower end of its range"""
    high_rent_usd: Optional[float]
    """upper end of its range; null: unknown, or it never ends"""
    energy_usd: Optional[float]
    """energy of the whole training"""
    low_energy_usd: Optional[float]
    """lower end of its range"""
    high_energy_usd: Optional[float]
    """upper end of its range; null: unknown, or it never ends"""
    purchase_usd: Optional[float]
    """share of the purchase price that the wall-clock time takes"""
    low_purchase_usd: Optional[float]
    """lower end of its range"""
    high_purchase_usd: Optional[float]
    """upper end of its range; null: unknown, or it never ends"""
    total_usd: Optional[float]
    """sum of these three"""
    low_total_usd: Optional[float]
    """lower end of its range"""
    high_total_usd: Optional[float]
    """upper end of its range; null: unknown, or it never ends"""
    operations: Operations
    """how a training is run, said or assumed"""


class Operations(Record):
    """How a training is run, said or assumed."""

    gpu_mtbf_s: float
    """of a GPU with its share of all else, between failures"""
    restart_s: float
    """from a failure until the checkpoint can be read"""
    storage_bytes_per_s: float
    """of the whole job"""
    async_save: bool
    """checkpoints are written beside the steps"""
    repair_s: Optional[float]
    """until a broken node is back; null = another is there"""
    preempted_every_s: Optional[float]
    """mean time between the times that the whole cluster is taken away; null = it never is"""
    away_s: Optional[float]
    """until it is back; null = at once"""
    notice_s: Optional[float]
    """of that, before; null = none"""
    pue: float
    """energy of the site over that of its computers"""
    usd_per_kwh: Optional[float]
    """price of energy"""
    usd_per_gpu: Optional[float]
    """price of a GPU with its share of all else"""
    amortize_s: Optional[float]
    """in which that is paid back"""


class Search(Record):
    """How the plans were found."""

    n_plans: int
    """legal plans in the space"""
    n_cut: int
    """of them, a bound on the time proves that they cannot rank"""
    n_too_large: int
    """of them, do not fit, or one that needs less does not"""
    n_dominated: int
    """of them, one with less recomputation or offload is faster"""
    n_evaluated: int
    """of them, time and memory were computed"""
    n_feasible: int
    """of the evaluated ones, that fit"""
    floor_s: float
    """no plan takes less, whatever its memory; 0 = there is none"""
    cut_s: float
    """the smallest bound of a plan that was cut; 0 = none was"""
    runner_up_s: float
    """the fastest plan of another kind; 0 = there is none"""
    runner_up_gap_frac: float
    """how much longer than the best it takes"""
    interrupted: bool
    """Ctrl-C stopped the command: the rest was not looked at"""
    seconds: float
    """time of the search"""


class Change(Record):
    """A change that makes the job fit."""

    words: str
    """what to change"""
    plan_words: str
    """best plan then, as --plan reads it"""
    plan: PlanValues
    """how the job is spread over the GPUs"""
    n_gpus: int
    """GPUs then"""
    seq_len: int
    """tokens per sequence then"""
    global_batch: int
    """sequences per step then"""
    peak_bytes: int
    """memory of the tight rank then"""
    usable_bytes: int
    """memory that a GPU has for it"""
    fit_probability_frac: float
    """how sure that plan is to fit"""
    step_s: float
    """time of a step then"""
    tokens_per_s: float
    """of the whole cluster then"""
    tokens_per_s_per_gpu: float
    """of one GPU then"""


class MeasuredRun(Record):
    """A measured run and how near it is."""

    id: Optional[str]
    """of the run"""
    source: Optional[str]
    """that published it"""
    ref: Optional[str]
    """where it stands there"""
    year: Optional[int]
    """of the publication"""
    gpu: Optional[str]
    """it ran on"""
    n_gpus: int
    """GPUs of the run"""
    network_bytes_per_s_per_gpu: Optional[float]
    """a GPU's share of the network between nodes; null: one node"""
    framework: Optional[str]
    """as the source names it"""
    profile: Optional[str]
    """framework whose costs predicted it"""
    model: Optional[str]
    """as the source names it"""
    parameters: int
    """of the model"""
    active_parameters: int
    """that a token passes"""
    n_experts: Optional[int]
    """of a layer; null: dense"""
    adapter_rank: Optional[int]
    """of LoRA; null: all weights are trained"""
    seq_len: int
    """tokens of a sequence"""
    dtype: Optional[str]
    """data type of the products"""
    plan: Optional[str]
    """as --plan reads it"""
    measured_step_s: float
    """one optimizer step, measured"""
    predicted_step_s: float
    """the same, predicted"""
    measured_tokens_per_s_per_gpu: float
    """of one GPU, measured"""
    predicted_tokens_per_s_per_gpu: float
    """the same, predicted"""
    error_frac: float
    """predicted over measured step, less 1"""
    near: bool
    """near enough to count"""
    distance_steps: float
    """sum of the parts"""
    parts: Nearness
    """a step is a doubling, or another word"""


class Nearness(Record):
    """A step is a doubling, or another word."""

    model_size_steps: float
    """doublings of the active parameters"""
    experts_steps: float
    """3 where one model has experts and the other has none"""
    trained_steps: float
    """3 where one trains adapters and the other all weights"""
    gpu_steps: float
    """1 within an architecture, 3 beyond"""
    precision_steps: float
    """doublings of the width of the products"""
    framework_steps: float
    """1 within a family, 2 beyond"""
    network_steps: float
    """doublings of a GPU's share of the network; 1 where only one of the two has several nodes"""
    n_gpus_steps: float
    """doublings of the number of GPUs"""
    seq_len_steps: float
    """doublings of the sequence"""
    plan_steps: float
    """1 for other tp, pp, cp or ep, 1 for other recomputation"""


class PoolsPool(Record):
    """One of several pools."""

    name: Optional[str]
    """of the pool"""
    cluster: Optional[str]
    """GPUs x type"""
    fabric: Optional[str]
    """type of network between its nodes"""
    tiers: Optional[List[Tier]]
    """switches above its nodes, from the nodes up; absent: none that may be tight"""
    placement: Optional[str]
    """of the nodes below these switches"""
    rails: Optional[bool]
    """a leaf switch has one card of each node; absent: all of them"""
    n_gpus: int
    """GPUs"""
    n_used_gpus: int
    """GPUs that the plan uses"""
    unit_gpus: int
    """a replica takes GPUs of it by so many"""
    alone_fits: bool
    """some plan on it alone is sure to fit"""
    alone_plan: Optional[str]
    """the fastest plan on it alone, as --plan reads it"""
    alone_step_s: Optional[float]
    """time of its step"""
    usd_per_gpu_h: Optional[float]
    """price of a GPU-hour"""
    alone_billion_tokens_usd: Optional[float]
    """cost of 1e9 tokens with that plan, on all GPUs of the pool, if nothing fails"""
    alone_real_s: Optional[float]
    """time of the training with that plan, if it was asked for and ends"""


class PoolsLink(Record):
    """The network between two pools."""

    to: Optional[str]
    """name of another"""
    bytes_per_s_one_way: float
    """of a node of either to the other"""
    latency_s: float
    """of a collective over it"""
    assumed: bool
    """nobody said it: the slower of the two fabrics"""


class PoolsPlan(Record):
    """The fastest plan on several pools."""

    fits: bool
    """the plan of the pools is sure to fit"""
    zero: int
    """ZeRO stage over all replicas"""
    n_replicas: Optional[int]
    """replicas of all classes"""
    step_s: Optional[float]
    """time of a step"""
    pipeline_s: Optional[float]
    """of it, until the last replica is done"""
    once_s: Optional[float]
    """of it, then: exchange of gradients, optimizer, what is fixed"""
    tokens_per_s: Optional[float]
    """of all GPUs"""
    mfu_frac: Optional[float]
    """FLOPs of the model over the dense peak of the GPUs that are used"""
    prefer_alone: bool
    """one pool alone is no slower"""
    floor_s: Optional[float]
    """work of a step over the best rate of all GPUs"""
    bound_s: Optional[float]
    """no plan of the space takes less"""
    n_classes: int
    """classes whose layers were split"""
    n_cut: int
    """classes that a bound left out"""
    n_knapsacks: int
    """knapsacks that were filled"""
    interrupted: bool
    """it was stopped: the bound is the floor"""
    seconds: float
    """time of the search"""


class PoolsClass(Record):
    """Replicas that are alike."""

    n_replicas: int
    """replicas that are alike"""
    pipeline: Optional[str]
    """its segments in words, from the first stage on"""
    segments: List[PoolsSegment]
    """the same, one by one"""
    n_pipeline_stages: int
    """stages of it"""
    vp: int
    """chunks of each of its stages; above 1 the schedule is interleaved"""
    micro_batch: int
    """sequences of a micro-batch"""
    n_micro_batches: int
    """in a step"""
    recompute: Literal["none", "selective", "full"]
    """activations that the backward pass computes again"""
    pipeline_s: float
    """time until its last micro-batch is done"""
    bottleneck_s: float
    """of that, for each micro-batch after the first"""
    tight_stage: int
    """stage that has the least left, from 0"""
    peak_bytes: int
    """memory of its GPUs"""
    margin_bytes: int
    """usable less peak"""


class PoolsSegment(Record):
    """Neighbouring stages of a replica in one pool."""

    pool: Optional[str]
    """its name"""
    tp: int
    """tensor-parallel ranks"""
    n_stages: int
    """stages of the pipeline"""
    layers: Optional[str]
    """of each stage, with commas between"""


class Form(Record):
    """A cost form."""

    name: Optional[str]
    """cost form"""
    n_points: int
    """measurements of it"""
    n_least: int
    """fewest points of a fit"""
    fitted: bool
    """else the constants are those from before"""
    old_error_frac: Optional[float]
    """mean error of the constants from before"""
    new_error_frac: Optional[float]
    """mean error of the fit"""
    held_error_frac: Optional[float]
    """mean error on points that a fit to the other four fifths had not seen"""
    measure: Optional[str]
    """command that measures it"""
