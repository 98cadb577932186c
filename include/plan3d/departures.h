/* SPDX-License-Identifier: GPL-3.0-or-later */
/* departures.h - what a plan asks of a framework that it does not do by itself:
 * each departure is one more thing to configure, to test and to go wrong. */
#ifndef PLAN3D_DEPARTURES_H
#define PLAN3D_DEPARTURES_H

#include "plan3d/estimate.h"

P3D_API_BEGIN

/* clang-format off */
/**
 * The departures, the gravest first: X(name, words, because, has).
 *
 * A plan is simpler than another when the gravest departure that only one of
 * them has is the other's. They are ordered, not weighed. `because` says why
 * it is one, in docs/recommendation.md, whose table `make docs` writes from
 * here; `has` is what a `plan` for a problem `p` departs by, where
 * spec/legality_abilities.c asks.
 */
#define P3D_DEPARTURES(X) \
    X(NVME, "states on NVMe", \
        "its rate is a guess, and a full disk stops a training", \
        plan->offload != P3D_OFFLOAD_NONE && plan->offload_nvme) \
    X(PARAMETERS, "parameters on the host", \
        "each pass waits for PCIe; host memory and NUMA decide", \
        plan->offload == P3D_OFFLOAD_OPTIMIZER_PARAMETERS) \
    X(ACTIVATIONS, "activations on the host", \
        "each layer of a micro-batch waits for PCIe; host memory and NUMA " \
        "decide", \
        plan->activation_offload_frac > 0) \
    X(OPTIMIZER, "optimizer on the host", \
        "a step waits for the CPUs, whose speed nobody measures before", \
        plan->offload != P3D_OFFLOAD_NONE) \
    X(WIDE_TP, "tensor parallelism that does not divide a node", \
        "the most frequent messages leave NVLink", \
        p->cluster.node.gpus_per_node % plan->tp != 0) \
    X(UNEVEN, "stages with different numbers of layers", \
        "not the framework's default split; checkpoints depend on it", \
        plan->uneven || plan->short_chunk > 0 || \
        plan->tail != P3D_TAIL_LAYERS) \
    X(ENDS, "first or last stage with a number of layers of its own", \
        "not the framework's default split; checkpoints depend on it", \
        plan->first_layers > 0 || plan->last_layers > 0) \
    X(THIN_CHUNKS, "chunks of one layer", \
        "many small sends; the first to suffer from a slow host", \
        plan->pp > 1 && p->model.n_layers < 2 * (int64_t)plan->pp * plan->vp) \
    X(DEEP, "more than 32 pipeline stages", \
        "published recipes have 16 and fewer, but for two models of 2021; " \
        "all wait for the slowest, and small batches leave bubbles", \
        plan->pp > P3D_DEEP_STAGES) \
    X(ORDER, "an order of ranks of its own", \
        "every tool that maps ranks to GPUs assumes the usual one", \
        plan->order != P3D_ORDER_DP_PP) \
    /* a framework that shards weights unasked needs no stages for memory */ \
    X(STAGES, "pipeline stages beside FSDP", \
        "the model has to be cut into stages; FSDP alone needs no cut", \
        plan->pp > 1 && p->job.framework->usual_zero[0] == 3) \
    X(NO_SP, "tensor parallelism without sequence parallelism", \
        "more memory, and the less tested path", \
        plan->tp > 1 && !plan->sequence_parallel && \
        (p->job.framework->lacks & P3D_LACKS_sequence_parallel) == 0) \
    X(ZERO, "a higher ZeRO stage than is usual", \
        "in Megatron-LM another engine altogether", \
        plan->zero > p->job.framework->usual_zero[plan->pp > 1]) \
    X(SHARE, "a part of the optimizer on the host", \
        "one more number to tune", \
        plan->offload != P3D_OFFLOAD_NONE && plan->offload_frac > 0) \
    X(SHARDING, "states shared by a part of the replicas", \
        "one more number to tune", \
        plan->shard > 0) \
    X(LAYERS, "a part of the layers recomputed", \
        "one more number to tune", \
        plan->recompute == P3D_RECOMPUTE_FULL && \
        (plan->recompute_layers > 0 || plan->recompute_group > 1)) \
    X(NODE_STAGES, "a pipeline in a single node", \
        "its GPUs share NVLink: data and tensor parallelism need no stages", \
        plan->pp > 1 && p->cluster.n_nodes == 1 && \
        p->cluster.node.gpus_per_nvlink_domain >= \
        p->cluster.node.gpus_per_node) \
    X(SHORT_CP, "context parallelism at short sequences", \
        "fewer than 4,096 tokens a rank: rings that nothing hides", \
        plan->cp > 1 && p->job.seq_len / plan->cp < P3D_SHORT_CP_TOKENS) \
    /* one module alone is a usual thing to say, several are a choice */ \
    X(MODULES, "an own set of modules recomputed", \
        "several modules at once; one alone is usual", \
        plan->recompute == P3D_RECOMPUTE_SELECTIVE && \
        !is_power_of_two(plan->recompute_modules)) \
    X(EXCHANGE, "an own exchange of context parallelism", \
        "Ulysses and rings mixed: two more sizes to fit to the heads and the " \
        "links", \
        plan->ulysses > 0) \
    X(BATCH, "a micro-batch that is no power of two", \
        "odd shapes of GEMMs", \
        !is_power_of_two((unsigned)plan->micro_batch)) \
    X(SCHEDULE, "a schedule beyond 1F1B and interleaving", \
        "outside the frameworks' main branches", \
        plan->schedule != P3D_1F1B && plan->schedule != P3D_INTERLEAVED)
/* clang-format on */

/** Bits of p3d_plan_departures(): the gravest is the highest, so that of two
 *  plans the simpler one has the smaller number. */
enum {
#define P3D_AS_PLACE(name, words, because, has) P3D_DEPARTURE_PLACE_##name,
    P3D_DEPARTURES(P3D_AS_PLACE)
#undef P3D_AS_PLACE
            P3D_N_DEPARTURES,
#define P3D_AS_BIT(name, words, because, has) \
    P3D_DEPARTS_##name =                      \
            1 << (P3D_N_DEPARTURES - 1 - P3D_DEPARTURE_PLACE_##name),
    P3D_DEPARTURES(P3D_AS_BIT)
#undef P3D_AS_BIT
};

/** Most stages of a pipeline that is not deep: published plans have 16, but
 *  MT-NLG 530B with 35 (arXiv:2201.11990 section 2.4) and a model of 1T with 64
 *  (arXiv:2104.04473 section 5.1); docs/recipes.md. */
enum { P3D_DEEP_STAGES = 32 };

/** Fewest tokens of a sequence on a context-parallel rank that are not short:
 *  NVIDIA's recipes of Llama 3 split 8,192 tokens in two, none in four
 *  (NVIDIA/Megatron-LM examples, NeMo's recipes). */
enum { P3D_SHORT_CP_TOKENS = 4096 };

/** What a plan departs in, a set of P3D_DEPARTS_ bits; 0 = in nothing.
 *  @param plan  in its plain form, see p3d_plan_plain() */
unsigned p3d_plan_departures(const p3d_problem *problem, const p3d_plan *plan);

/** Words for the i-th departure, the gravest first; NULL past the last. */
const char *p3d_departure_words(int i);

/** Bit of the i-th departure. */
unsigned p3d_departure_bit(int i);

P3D_API_END

#endif
