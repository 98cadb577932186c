/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cost.h - the formulas of this room: pure functions of their arguments. */
#ifndef PLAN3D_COST_COST_H
#define PLAN3D_COST_COST_H

#include "plan3d/estimate.h"

/** Ranks of one group, as they lie on the machine. */
/** What a group reaches of the links of a GPU where these make a torus; all 0:
 *  they do not, and every GPU reaches every other at their whole rate. */
typedef struct cost_torus {
    double ring_narrowing;       /* whole rate over that of a ring, */
    double all_to_all_narrowing; /* of an all-to-all, */
    double send_narrowing;       /* and to a neighbour */
    double hops;                 /* from one end to the other */
} cost_torus;

typedef struct cost_group {
    int n_ranks;
    int n_nodes;                    /* NVLink domains that the group touches */
    int ranks_per_node;             /* of the group, in one domain */
    double nic_bytes_per_s_one_way; /* of all the group's ranks in a domain */
    double ring_narrowing;          /* time of the tight cut over that of the */
    double all_to_all_narrowing;    /* network cards; below 1 = these are */
    cost_torus torus;               /* inside a domain */
} cost_group;

/** Size of an axis and the distance between its neighbouring ranks; after
 *  n_inner of them (0 = never) the next is `block` from where they began. */
typedef struct cost_axis {
    int n_ranks;
    int stride;
    int n_inner;
    int block;
} cost_axis;

cost_axis cost_axis_of(const p3d_plan *plan, p3d_axis axis);

/** Place the group of one axis: ranks are numbered tp-cp-ep-dp-pp. */
cost_group cost_place(
        const p3d_cluster *cluster, const p3d_plan *plan, p3d_axis axis);

/** How the members of a group exchange: with their neighbours in a ring, or
 *  each with each. */
typedef enum cost_pattern {
    COST_RING,
    COST_ALL_TO_ALL,
    COST_N_PATTERNS
} cost_pattern;

/** A cut of the network and what crosses it one way, all groups of an axis at
 *  once. */
typedef struct cost_cut {
    int n_below;        /* GPUs on its lower side; 0 = nothing crosses */
    double load;        /* of a ring in bytes a byte on the wire of each rank,
                           of an all-to-all in bytes a byte that each sends */
    double bytes_per_s; /* of its links */
    double spread_frac; /* of them that hashed flows reach */
} cost_cut;

/**
 * What leaves `below` neighbouring GPUs, at the place where it is most.
 *
 *     ring         sum of min(s, x, n s - x)
 *     all-to-all   sum of q (n - q) / n over the groups
 *
 * n ranks of a group, each s from the one before; x the GPUs below the cut of
 * the groups that it parts, q their ranks there: s groups side by side, or as
 * many at each end. Where n s divides A = `below`, nothing leaves; where A
 * divides n s, min(s, A) of rings and A (n - q) / n of all-to-alls.
 *
 * Source: counted, all groups of an axis with the same bytes on each edge.
 * Assumes: A31.
 * Tested: tests/unit/test_cuts.c, against every edge routed.
 */
double cost_load_below(
        const cost_axis *axis, cost_pattern pattern, int64_t below);

/**
 * What leaves a switch of a tier where a list of hosts places the nodes, at the
 * switch that sends most; units as of cost_load_below().
 *
 *     ring         GPUs below whose next rank is not below
 *     all-to-all   sum of q (n - q) / n over the groups, q of n ranks below
 *
 * The links up of a switch are for all its nodes, also where the job has few.
 *
 * @param n_below  receives the GPUs of the job below that switch
 * Source: counted. Assumes: A31.
 * Tested: tests/unit/test_cuts.c, against every edge routed.
 */
double cost_load_of_hosts(const p3d_cluster *cluster, const cost_axis *axis,
        cost_pattern pattern, int tier, int *n_below);

/** The cut above one domain (tier -1) or above a switch of a tier.
 *  Tested: tests/unit/test_cuts.c */
cost_cut cost_cut_above(const p3d_cluster *cluster, const cost_axis *axis,
        cost_pattern pattern, int tier);

/** Bytes/s one way of the links up of a switch: of its network cards over all
 *  oversubscriptions up to it, or as the tier says. */
double cost_uplink_bytes_per_s(const p3d_cluster *cluster, int tier);

/**
 * Share of P equal links that F equal flows reach which a hash spreads.
 *
 *     eta = F / (P E),  E = the largest number of flows on a link:
 *     E = sum over m >= 0 of (1 - C(m)^P),  C that of Poisson, mean F / P
 *
 * Source: balls into bins, with bins that do not know of each other; 3 % from
 * a simulation where P >= 8.
 * Tested: tests/unit/test_cuts.c
 */
double cost_hashed_frac(double n_flows, double n_links);

/** Time of the tightest cut of the tiers over that of the network cards; 0 =
 *  no tiers, or nothing crosses them. */
double cost_narrowing(const p3d_cluster *cluster, const cost_axis *axis,
        cost_pattern pattern);

/** Rings whose neighbours lie some GPUs apart, and of which a cluster may have
 *  a part: the rest is in other pools. */
typedef struct cost_far_ring {
    double stride;    /* GPUs; between unlike stages no whole number */
    double n_sending; /* GPUs of a domain whose bytes leave it */
    double n_beyond;  /* GPUs of the rings in other pools; 0 = none */
} cost_far_ring;

/** What they send through a cut: the links up of a tier, or the network cards
 *  of a domain (tier < 0). n_below = 0: nothing crosses. */
cost_cut cost_far_cut(
        const p3d_cluster *cluster, const cost_far_ring *ring, int tier);

/** The same for such rings. Where pools meet, each lies below switches of its
 *  own. More bytes on rings that are the fewer for it take no less.
 *  Tested: tests/unit/test_pools_tiers.c */
double cost_far_narrowing(
        const p3d_cluster *cluster, const cost_far_ring *ring);

/**
 * Lay n ranks of an axis on the torus of a domain.
 *
 *     ring (gather, scatter)  V / (W axes);  a line counts half an axis
 *     all-to-all              S n / (4 W) along the slowest axis
 *     hops                    n / 2 of a ring, n - 1 of a line, summed
 *
 * V bytes that a rank puts on the wire, S payload, W both links of a GPU along
 * an axis. As JAX does, tensor parallelism gets whole axes where their product
 * fits.
 *
 * Source: jax-ml/scaling-book@0819a7d8 sharding.md, tpus.md; jax-ml/jax
 * jax/_src/mesh_utils.py (_create_device_mesh_for_nd_torus).
 * Tested: tests/unit/test_torus.c
 */
cost_torus cost_torus_of(
        const p3d_cluster *cluster, int tp, const cost_axis *axis, int n_ranks);

/** GPUs that reach each other without the network. */
int cost_domain(const p3d_cluster *cluster);

/** Ranks of a group that lie in so many neighbouring GPUs, at least 1. */
int cost_ranks_within(const cost_axis *axis, int n_gpus);

/** `count` products C[m,n] = A[m,k] B[k,n] in one launch. */
typedef struct cost_product {
    int64_t m, n, k;
    int64_t count;
} cost_product;

/** Constants of products in a data type; where there are none for nvfp4, those
 *  of fp8, and for fp8 those of 16 bit. */
const p3d_gemm_fit *cost_gemm_fit(
        const p3d_calibration *calibration, p3d_dtype dtype);
double cost_gemm_s(const p3d_cluster *cluster, p3d_dtype dtype, cost_product p);
double cost_op_gemm_s(const p3d_cluster *cluster, const p3d_op *op);
double cost_attention_s(
        const p3d_cluster *cluster, p3d_dtype dtype, const p3d_op *op);
double cost_pass_s(const p3d_cluster *cluster, p3d_pass_kind kind, double bytes,
        int n_kernels);

/** The same of an operation of a layer. */
double cost_op_pass_s(const p3d_cluster *cluster, const p3d_op *op);
double cost_collective_s(const p3d_cluster *cluster, p3d_collective collective,
        cost_group group, double payload_bytes);
/** True where the GPUs of a node reach each other over NVLink, not PCIe. */
bool cost_has_nvlink(const p3d_cluster *cluster);
/** One-way rate between the GPUs of a node. */
double cost_link_bytes_per_s(const p3d_cluster *cluster);
/**
 * How many of n equal parts of the experts (ranks, nodes) a token reaches, in
 * the mean of even routing.
 *
 *     n (1 - C(E - E/n, k) / C(E, k))
 *
 * E experts, k of a token; where they lie in some of their groups alone
 * (arXiv:2412.19437 section 2.1.2), the mean over the groups.
 * Tested: tests/unit/test_dispatch.c
 */
double cost_parts_reached(const p3d_routing *routing, double n_parts);
/**
 * Seconds of a dispatch or a combine by kernels that send a token once to each
 * rank and, over the network, once to each node.
 *
 *     t = a + sqrt(t_link^2 + t_nic^2)
 *     t_link = S ranks reached / (0.8 link), S bytes of a rank's tokens
 *     t_nic  = S nodes reached (N-1)/N / (0.95 NIC)
 *
 * The two transports run at once, in chunks; their sum in squares is within
 * 6 % of HybridEP on 16 to 64 H100 (kernels), within 12 % of DeepEP on H800.
 *
 * Source: deepseek-ai/DeepEP@94a9f8f6 docs/README_Hybrid-EP.md; DeepEP@dd758caf
 * docs/legacy.md. Tested: tests/unit/test_dispatch.c
 */
double cost_dispatch_s(const p3d_cluster *cluster, cost_group group,
        p3d_dispatcher dispatcher, const p3d_routing *routing,
        double token_bytes);
/** Rate of copies between a GPU and its host. */
double cost_host_copy_bytes_per_s(const p3d_cluster *cluster);
/** Rate of the optimizer's passes over the memory of a node's host, reads plus
 *  writes; 0 = unknown. */
double cost_host_optimizer_bytes_per_s(const p3d_cluster *cluster);
/** Bytes per parameter and step that the host updates: gradients down and
 *  weights up; through the memory of the host. */
double cost_offload_link_bytes(const p3d_job *job);
double cost_offload_host_bytes(const p3d_job *job);
/** A transfer that may run beside work. */
typedef struct cost_transfer {
    double transfer_s; /* alone */
    double link_s;     /* of its bytes over the links inside a node: what it
                          takes from the work grows with its bytes */
    int n_taken_sms;   /* multiprocessors that it takes from the work, and
                          nothing else; 0 = as NCCL does */
} cost_transfer;

/** Seconds of the bytes of a collective over the links of a node, without its
 *  start. */
double cost_link_s(const p3d_cluster *cluster, p3d_collective collective,
        const cost_group *group, double payload_bytes);

/** One collective over a placed group. */
cost_transfer cost_send(const p3d_cluster *cluster, p3d_collective collective,
        cost_group group, double payload_bytes);
/**
 * An all-to-all in two steps (2DH): each rank sends to the ranks of its node
 * all that the GPUs of their place in the other nodes get, then to the GPUs of
 * its own place; before each step a copy puts in order what goes to one rank.
 *
 *     t = t_all_to_all(g, S) + t_all_to_all(N, S) + 2 t_copy(2 S)
 *
 * g ranks in each of N nodes, each with its share of the network cards, S bytes
 * of a rank; one step where there is one node, or one rank in each.
 *
 * Source: microsoft/tutel@82af7aad tutel/custom/custom_kernel.cpp
 * (nccl_all_to_all_2d_async). What small messages cost without it is not
 * counted: no published table of all-to-alls has more than two nodes.
 * Tested: tests/unit/test_dispatch.c
 */
cost_transfer cost_send_2dh(
        const p3d_cluster *cluster, cost_group group, double payload_bytes);
/**
 * What shows of a transfer that runs beside work of `window_s` seconds.
 *
 *     shown = max(0, t - window) + f min(t, window)
 *     f = leak t_link / t for NCCL, SMs taken / SMs for user buffers
 *
 * t_link the time of the same bytes over NVLink: channels of NCCL, each of
 * which takes a multiprocessor, and copies through memory grow with the rate.
 *
 * Assumes: A10. Tested: tests/unit/test_step_time.c,
 * tests/unit/test_data_parallel.c
 */
double cost_exposed_s(
        const p3d_cluster *cluster, cost_transfer sent, double window_s);
double cost_p2p_s(
        const p3d_cluster *cluster, cost_group group, double payload_bytes);

/** Seconds that a message to each of two neighbours keeps the links of a rank
 *  busy, without their start. */
double cost_p2p_pair_s(
        const p3d_cluster *cluster, cost_group group, double payload_bytes);

/** What the host spends on launching an operation; nothing where a CUDA graph
 *  does. The device waits where the host takes longer.
 *  Assumes: A16. Tested: tests/unit/test_host.c */
double cost_host_s(const p3d_problem *problem, const p3d_op *op);

/**
 * Share of the shorter of launches and device time that adds to the longer.
 *
 *     1 where kernels are launched one at a time: the host waits for each;
 *       else what the job says, if it does
 *     1 in a pass in which the host waits for the device; else what is
 *       usual for the framework
 *
 * Assumes: A25. Tested: tests/unit/test_host.c
 */
double cost_added_host_frac(const p3d_job *job, bool waits);

/** Whether the sizes of the experts' groups stay on the device, as a graph of
 *  the whole step needs: one kernel takes all experts. Source: Megatron-LM@
 *  d98e8a64 megatron/core/transformer/transformer_config.py:1867-1883. */
bool cost_sizes_stay(const p3d_job *job);

/** Modules that selective recomputation redoes: those said, or those that the
 *  framework redoes when nothing is. */
unsigned cost_modules(const p3d_framework *framework, unsigned modules);

/** The share of exactly these modules, made where it is not there yet. */
p3d_module_share *cost_share_of(p3d_module_shares *shares, unsigned modules);

/** Set what recomputing these modules of a block keeps and runs again. */
void cost_block_recompute(
        const p3d_module_shares *shares, unsigned modules, p3d_block *out);

/** The same of the layers of the first so many kinds, and of the ends. */
void cost_blocks_recompute(unsigned modules, int n_kinds, p3d_blocks *blocks);

/** Copy the layers of the first so many kinds, and the ends. */
void cost_blocks_copy(const p3d_blocks *from, int n_kinds, p3d_blocks *to);

/** Count a model's layers by kind. @return how many kinds there are up to the
 *  last that it has */
int cost_count_kinds(const p3d_model *model, int n_layers[P3D_N_LAYER_KINDS]);

/** Which layers lie on which stage of a plan's pipeline. */
typedef struct cost_layout {
    int n_chunks; /* stages: pp * vp; the last has the blocks of multi-token
                     prediction too */
    int n_kinds;  /* no layer is of this kind or a later one */
    short first[P3D_MAX_LAYERS]; /* layer of each chunk */
    short like[P3D_MAX_LAYERS];  /* the first chunk that has the same layers in
                                    the same order: it, or one before */
    short count[P3D_MAX_LAYERS][P3D_N_LAYER_KINDS];
} cost_layout;

/** What most formulas ask about: a plan of a problem, the blocks of its shard,
 *  and where their layers lie. */
typedef struct cost_case {
    const p3d_problem *problem;
    const p3d_plan *plan;
    const p3d_blocks *blocks;
    const cost_layout *layout;
} cost_case;

/** Micro-batches of a step. */
int64_t cost_micro_batches(const cost_case *of);

/** Tokens of one micro-batch on a context-parallel rank. */
double cost_rank_tokens(const p3d_problem *problem, const p3d_plan *plan);

/** Dense parameters and those of experts. */
double cost_all_params(p3d_params params);
p3d_params cost_less_params(p3d_params a, p3d_params b);

/**
 * Bytes that a rank keeps of a layer's input that is recomputed in full.
 *
 *     bytes / tp    with --partition-activations, without sequence parallelism
 *     bytes         else
 *
 * with sequence parallelism the bytes are a share already.
 *
 * Source: DeepSpeed@02f59ea3 deepspeed/runtime/activation_checkpointing/
 * checkpointing.py (get_partition_size); Megatron-LM@d98e8a64 megatron/core/
 * tensor_parallel/random.py (CheckpointFunction, distribute_saved_activations).
 * Tested: tests/unit/test_partition.c.
 */
int64_t cost_input_share_bytes(const p3d_workload *list, int64_t bytes);

/** Which tensors of a block are asked for. */
typedef enum cost_tensor_kind {
    COST_SAVED_TENSORS, /* until the backward pass, when the modules are
                            recomputed; 0 = nothing is */
    COST_FREED_TENSORS, /* what recomputing the modules frees and brings back */
    COST_INPUT_TENSORS, /* what full recomputation keeps */
    COST_MOMENT_TENSORS, /* beside the saved ones, at a moment of the pass */
} cost_tensor_kind;

typedef struct cost_tensors {
    cost_tensor_kind kind;
    unsigned modules;
    int moment; /* index of a P3D_AT_ */
} cost_tensors;

/** True for a tensor that is one of them. Memory is summed and listed by this
 *  alone, so that the two agree. */
bool cost_is_tensor(const p3d_tensor *tensor, cost_tensors of);

/** The first of them behind `last`, or of all where that is NULL; NULL when
 *  there is none. */
const p3d_tensor *cost_next_tensor(
        const p3d_workload *list, cost_tensors of, const p3d_tensor *last);

/** p3d_workload_build() of what was looked through before. */
void cost_workload_list(const p3d_model *model, const p3d_job *job,
        p3d_shard shard, int block, p3d_workload *out);

/** Operations of a block's forward pass. */
double cost_forward_flop(const p3d_workload *list);

/** Share of the states that is not on the device. */
double cost_offloaded_frac(const p3d_plan *plan);

/** @return false when the layers cannot be shared out */
bool cost_layout_build(
        const p3d_problem *problem, const p3d_plan *plan, cost_layout *out);

/** Stage of a rank's chunk, and whether a rank has the last stage (in a V that
 *  is the first rank). */
int cost_stage_of(const p3d_plan *plan, int rank, int chunk);
bool cost_has_head(const p3d_plan *plan, int rank);

/** Kind of a layer of the model. */
int cost_kind_at(const p3d_model *model, int layer);

/** Layers of a chunk, blocks of multi-token prediction counted. */
int cost_chunk_layers(const cost_layout *layout, int chunk);

/** True for a middle rank that holds the same layers as the rank before, in the
 *  same order. */
bool cost_same_as_before(const cost_case *of, int rank);

/** True when a chunk of a rank has the same layers as its chunk before, and
 *  neither has an end of the model. */
bool cost_same_chunk_as_before(const cost_case *of, int rank, int chunk);

/** Layers of a chunk that are recomputed in full, by kind; of how many the
 *  input is kept; and the recomputation of the rest. */
typedef struct cost_replay {
    short full[P3D_N_LAYER_KINDS];
    short kept_inputs[P3D_N_LAYER_KINDS];
    p3d_recompute rest;
} cost_replay;

/** The first layers of a chunk are recomputed, in groups that keep the input of
 *  their first layer. Source: Megatron-LM@d98e8a64 megatron/core/transformer/
 *  transformer_block.py:334 (block, uniform). */
cost_replay cost_replay_of(const cost_case *of, int chunk);

/** Bytes of the residual stream of one micro-batch on a rank: what a pipeline
 *  sends from stage to stage. */
double cost_boundary_bytes(const p3d_problem *problem, const p3d_plan *plan);

/** Bytes that a stage keeps for a micro-batch in flight beside the activations:
 *  what it received and what it sent. */
double cost_pipeline_bytes(const p3d_problem *problem, const p3d_plan *plan);

/** Number of ranks that share the dense weights, and the expert weights. */
int cost_dense_replicas(const p3d_plan *plan);
int cost_expert_replicas(const p3d_plan *plan);

/** Number of ranks that share the states of these weights. */
double cost_dense_shards(const p3d_plan *plan);
double cost_expert_shards(const p3d_plan *plan);

/** True where whole gradients are added up over a pipeline's micro-batches, and
 *  reduced after the last one, although their ranks share them. */
bool cost_reduces_once(const p3d_framework *framework, const p3d_plan *plan);

/** Add the terms of a time, so many times. */
void cost_add_terms(p3d_time *sum, const p3d_time *term, double times);

/** Add n parameters to those of experts, or to the others. */
void cost_params_add(p3d_params *sum, bool expert, int64_t n);

/** A block, as its operations are listed. */
typedef struct cost_listed {
    p3d_shard shard;
    int block;
    const p3d_workload *list;
} cost_listed;

/** What a listed block costs, without what is beside it. */
void cost_block_build(const p3d_problem *problem, const cost_listed *listed,
        p3d_block *out, p3d_module_shares *shares);

/** What of a micro-batch's pass over a listed block runs again. */
void cost_block_again(const p3d_problem *problem, const cost_listed *listed,
        p3d_recompute how, p3d_recomputed *out);

/** Leave what a forward pass alone does. */
void cost_drop_backward(p3d_workload *list);

/** Add what the frozen model beside the trained one costs with a block. */
void cost_companion_add(
        const p3d_problem *problem, p3d_shard shard, int block, p3d_block *out);

/** Model FLOPs of the tower for the images of one sequence. */
double cost_tower_flop(const p3d_model *model, const p3d_job *job);

/** The job of the frozen model alone: products in 16 bit, nothing trained,
 *  nothing beside it. */
p3d_job cost_companion_job(const p3d_job *job);

/** True where what it costs depends on how experts are grouped, whatever the
 *  trained model's block is. */
bool cost_companion_groups(const p3d_job *job);

/** Those of the adapters in a list of operations. */
p3d_params cost_adapter_params(const p3d_workload *list, const p3d_job *job);

/** Parameters of a rank: all of them, those that are trained, and those of a
 *  frozen model beside, which only runs forward. */
typedef struct cost_shared {
    p3d_params all;
    p3d_params trained;
    p3d_params companion;
} cost_shared;

cost_shared cost_rank_shared(const cost_case *of, int rank);

/** The same. @param count  room for the layers of each kind of the layout */
cost_shared cost_rank_shared_of(const cost_case *of, int rank, int *count);

/** Bytes of a frozen weight that no plan shares out, but for the matrices that
 *  adapters leave in 8 or 4 bits. */
double cost_frozen_bytes(const p3d_job *job);

/** The halves of an estimate, with a layout built before. */
void cost_stage_memory(const cost_case *of, int rank, p3d_stage *out);
int cost_peak_memory(const cost_case *of, p3d_memory *out);
/** True when some rank takes more of its device than this.
 *  @param first  rank to look at first, mostly the one that was too large the
 *                last time; set to the one that is */
bool cost_exceeds(const cost_case *of, int64_t limit_bytes, int *first);
/** True when this rank does. */
bool cost_rank_exceeds(const cost_case *of, int rank, int64_t limit_bytes);
void cost_step_time(const cost_case *of, p3d_time *out);
/** The same, or less where it would be simulated: a bound that is cheap. */
double cost_step_floor_s(const cost_case *of);
/** True where the pipeline is simulated stage by stage. */
bool cost_is_simulated(const p3d_plan *plan, int64_t n_micro_batches);
double cost_replay_flop(const cost_case *of);

/** Seconds of one micro-batch on one stage, or on one rank. */
typedef struct cost_pass_time {
    double forward_s;
    double backward_s;
} cost_pass_time;

/** A step of a plan with all replicas sharing its states, if they exchanged
 *  nothing: what plans have in common that differ in which share the states. */
typedef struct cost_lone_replicas {
    double step_s;      /* none takes less; 0 = nothing is known */
    cost_shared params; /* of the slowest rank */
    cost_pass_time pass;
} cost_lone_replicas;

/**
 * The step is the slowest rank's own time and what all ranks have in common.
 * With what replicas exchange, that rank takes so much more, and with fewer of
 * them sharing the states, its optimizer has no less to do.
 *
 * Tested: tests/prop/test_search_bounds.c
 */
cost_lone_replicas cost_lone_replicas_of(const cost_case *of);

/** A bound on a step of a plan that differs from that of the lone replicas in
 *  which of them share the states alone. */
double cost_exchanging_floor_s(
        const cost_case *of, const cost_lone_replicas *lone);

/** Seconds per step of the parts that do not depend on the micro-batches. */
/** Bytes of a weight that is gathered, where it is not sent as usual. */
double cost_wire_weight_bytes(const p3d_job *job, double usual);

/** Bytes that compression moves in the GPU's memory: for each micro-batch, and
 *  once a step. */
double cost_compress_pass_bytes(const p3d_job *job, cost_shared params);
double cost_compress_step_bytes(
        const p3d_job *job, const p3d_plan *plan, p3d_params trained);

double cost_dp_exposed_s(const p3d_problem *problem, const p3d_plan *plan,
        cost_shared params, cost_pass_time pass, int64_t n_micro_batches);
double cost_optimizer_s(
        const p3d_problem *problem, const p3d_plan *plan, p3d_params params);
double cost_offload_s(const p3d_problem *problem, const p3d_plan *plan,
        cost_shared params, int64_t n_micro_batches);
double cost_swap_s(
        const p3d_problem *problem, const p3d_plan *plan, p3d_params all);

/** Bytes of a checkpoint of the whole model, each weight and state once. */
double cost_checkpoint_bytes(const p3d_problem *problem);

/** Parameters of a rank that it updates itself, after ZeRO's sharing. */
double cost_owned_params(const p3d_plan *plan, p3d_params params);

#endif
