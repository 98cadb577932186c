/* SPDX-License-Identifier: GPL-3.0-or-later */
/* moves.c - the moves of the greedy walk. Most take a factor of one axis to
 * another; what follows from that (experts, chunks, ZeRO stage) follows. */
#include "search/advice/moves.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/util.h"
#include "spec/plan_split.h"
#include "spec/plan_words.h"

/* Tokens of a sequence on a rank below which nobody splits it further. */
enum { SHORT_SEQUENCE = 8192 };

static void P3D_PRINTF(2, 3) name(search_move *m, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(m->decision, sizeof(m->decision), fmt, args);
    va_end(args);
}

/** The bit of a ZeRO stage in those that a framework has. */
static bool has_zero(const search_move *m, int zero)
{
    return m->problem->job.framework->zero_stages >> zero & 1;
}

static bool pipelines_zero(const search_move *m, int zero)
{
    return m->problem->job.framework->zero_stages_pipeline >> zero & 1;
}

static bool splits_layers(const search_move *m, int pp)
{
    p3d_plan plan = m->plan;
    int layers[P3D_MAX_LAYERS];

    plan.pp = pp;
    plan.vp = 1;
    return pp <= P3D_MAX_LAYERS && p3d_plan_split_layers(&m->problem->model,
                                           &m->problem->job, &plan, layers);
}

static int gcd(int a, int b)
{
    while (b != 0) {
        const int rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/** The smallest prime factor of a number of ranks, 0 of one rank. */
static int smallest_factor(int ranks)
{
    for (int f = 2; f <= ranks / f; f++) {
        if (ranks % f == 0)
            return f;
    }
    return ranks > 1 ? ranks : 0;
}

static bool divides_layers(const search_move *m, int pp)
{
    return m->problem->model.n_layers % pp == 0;
}

/** The smallest prime factor of some ranks that goes to or from the stages so
 *  that these hold a test; 0 = none. */
static int factor_that(const search_move *m, int ranks, bool more,
        bool (*holds)(const search_move *m, int pp))
{
    const int pp = m->plan.pp;
    int left = ranks;

    for (int f = smallest_factor(left); f > 0; f = smallest_factor(left)) {
        if (holds(m, more ? pp * f : pp / f))
            return f;
        while (left % f == 0)
            left /= f;
    }
    return 0;
}

/** The factor that goes to or from the stages: best one that divides the
 *  layers, then one with which they share out, then any. */
static int stage_factor(const search_move *m, int ranks, bool more)
{
    int f = factor_that(m, ranks, more, divides_layers);

    if (f == 0)
        f = factor_that(m, ranks, more, splits_layers);
    return f > 0 ? f : smallest_factor(ranks);
}

/** What follows from other numbers of ranks. */
static void follow(search_move *m, const p3d_plan *before)
{
    p3d_plan *const plan = &m->plan;

    if (plan->etp == before->tp)
        plan->etp = plan->tp;
    plan->ep = gcd(plan->ep, plan->tp * plan->cp * plan->dp / plan->etp);
    for (int i = 0; i < P3D_N_FLAGS; i++) {
        if (plan->tp != before->tp || !spec_flag_may(plan, i))
            spec_flag_follow(plan, i);
    }
    if (plan->pp != before->pp)
        spec_split_usually(plan);
    if (plan->pp == 1) {
        plan->vp = 1;
        plan->schedule = P3D_1F1B;
        plan->group = 0;
    } else if (!pipelines_zero(m, plan->zero)) {
        plan->zero = has_zero(m, 1) ? 1 : 0;
    }
}

/** An axis of ranks. */
typedef struct axis {
    const char *name;
    const char *more; /* what more of it is */
    size_t at;
} axis;

#define AXIS(name, more, member)               \
    (axis)                                     \
    {                                          \
        name, more, offsetof(p3d_plan, member) \
    }
#define TP AXIS("TP", "split tensors further", tp)
#define PP AXIS("PP", "more pipeline stages", pp)
#define DP AXIS("DP", "more replicas", dp)
#define CP AXIS("CP", "split sequences further", cp)

static int *ranks_of(p3d_plan *plan, axis a)
{
    return (int *)(void *)((char *)plan + a.at);
}

/** Take a factor of the ranks of one axis to another. */
static bool shift(search_move *m, axis from, axis to)
{
    const p3d_plan before = m->plan;
    int *const less = ranks_of(&m->plan, from);
    int *const more = ranks_of(&m->plan, to);
    const bool to_stages = to.at == offsetof(p3d_plan, pp);
    const bool from_stages = from.at == offsetof(p3d_plan, pp);
    const int factor = to_stages || from_stages
                               ? stage_factor(m, *less, to_stages)
                               : smallest_factor(*less);

    if (factor == 0)
        return false;
    name(m, "%s: %s %d -> %d, %s %d -> %d", to.more, to.name, *more,
            *more * factor, from.name, *less, *less / factor);
    *less /= factor;
    *more *= factor;
    follow(m, &before);
    return m->plan.pp <= m->problem->model.n_layers + 2;
}

/* Within a node, or what NVLink joins. */
static bool is_narrow(const search_move *m)
{
    const p3d_node *const node = &m->problem->cluster.node;

    return m->plan.tp <= node->gpus_per_node ||
           m->plan.tp <= node->gpus_per_nvlink_domain;
}

static bool is_long(const search_move *m)
{
    return m->problem->job.seq_len / m->plan.cp >= SHORT_SEQUENCE / 2;
}

static bool tp_to_dp(search_move *m)
{
    return shift(m, TP, DP);
}

static bool tp_to_pp(search_move *m)
{
    return shift(m, TP, PP);
}

static bool tp_to_cp(search_move *m)
{
    return shift(m, TP, CP) && is_long(m);
}

static bool pp_to_dp(search_move *m)
{
    return shift(m, PP, DP);
}

static bool pp_to_tp(search_move *m)
{
    return shift(m, PP, TP) && is_narrow(m);
}

static bool dp_to_pp(search_move *m)
{
    return shift(m, DP, PP);
}

static bool dp_to_tp(search_move *m)
{
    return shift(m, DP, TP) && is_narrow(m);
}

static bool dp_to_cp(search_move *m)
{
    return shift(m, DP, CP) && is_long(m);
}

static bool cp_to_dp(search_move *m)
{
    return shift(m, CP, DP);
}

static bool cp_to_tp(search_move *m)
{
    return shift(m, CP, TP) && is_narrow(m);
}

static bool group_experts(search_move *m, int ep)
{
    const p3d_problem *const p = m->problem;
    p3d_plan *const plan = &m->plan;

    if (p->model.n_experts == 0 || ep < 1 || p->model.n_experts % ep != 0 ||
            (plan->tp * plan->cp * plan->dp) % ep != 0)
        return false;
    name(m, "%s: EP %d -> %d",
            ep > plan->ep ? "spread the experts out"
                          : "keep the experts closer",
            plan->ep, ep);
    plan->ep = ep;
    plan->etp = ep > 1 ? 1 : plan->tp;
    return true;
}

/** Twice as far; at first as far as tensor parallelism has split them. */
static bool more_experts_apart(search_move *m)
{
    const int first = m->plan.ep == 1 ? m->plan.etp : 1;

    return group_experts(m, first > 1 ? first : m->plan.ep * 2);
}

static bool fewer_experts_apart(search_move *m)
{
    return m->plan.ep % 2 == 0 && group_experts(m, m->plan.ep / 2);
}

/* In the node, where NVLink joins them. */
static bool experts_in_the_node(search_move *m)
{
    return more_experts_apart(m) &&
           m->plan.ep <= m->problem->cluster.node.gpus_per_node;
}

static bool set_zero(search_move *m, int zero)
{
    p3d_plan *const plan = &m->plan;

    if (plan->zero == zero || !has_zero(m, zero) ||
            (plan->pp > 1 && !pipelines_zero(m, zero)))
        return false;
    name(m, "%s: ZeRO %d -> %d",
            zero > plan->zero ? "shard more of the states"
                              : "shard less of the states",
            plan->zero, zero);
    plan->zero = zero;
    return true;
}

static bool zero_1(search_move *m)
{
    return m->plan.zero < 1 && m->plan.dp * m->plan.cp > 1 && set_zero(m, 1);
}

static bool zero_2(search_move *m)
{
    return m->plan.zero < 2 && m->plan.dp * m->plan.cp > 1 && set_zero(m, 2);
}

/** Frameworks that cannot pipeline with ZeRO-3 give the stages up. */
static bool zero_3(search_move *m)
{
    p3d_plan *const plan = &m->plan;
    const p3d_plan before = *plan;

    if (plan->zero >= 3 || !has_zero(m, 3) ||
            plan->dp * plan->cp * plan->pp == 1)
        return false;
    name(m, "shard more of the states: ZeRO %d -> 3", plan->zero);
    if (plan->pp > 1 && !pipelines_zero(m, 3)) {
        plan->dp *= plan->pp;
        plan->pp = 1;
        follow(m, &before);
    }
    plan->zero = 3;
    return true;
}

static bool higher_zero(search_move *m)
{
    return zero_2(m) || zero_3(m);
}

static bool lower_zero(search_move *m)
{
    return m->plan.zero > 1 && set_zero(m, 1);
}

/** The states back where they can go to the host: ZeRO-3 has another engine in
 *  some frameworks. */
static bool zero_1_and_offload(search_move *m)
{
    if (m->plan.zero < 2 || m->plan.offload != P3D_OFFLOAD_NONE ||
            !set_zero(m, 1))
        return false;
    m->plan.offload = P3D_OFFLOAD_OPTIMIZER;
    name(m, "offload the optimizer, with ZeRO 1");
    return true;
}

static bool offload_optimizer(search_move *m)
{
    if (m->plan.offload != P3D_OFFLOAD_NONE)
        return false;
    m->plan.offload = P3D_OFFLOAD_OPTIMIZER;
    name(m, "offload the optimizer");
    return true;
}

static bool offload_parameters(search_move *m)
{
    if (m->plan.offload == P3D_OFFLOAD_OPTIMIZER_PARAMETERS ||
            m->plan.zero != 3)
        return false;
    m->plan.offload = P3D_OFFLOAD_OPTIMIZER_PARAMETERS;
    name(m, "offload the parameters too");
    return true;
}

static bool no_offload(search_move *m)
{
    if (m->plan.offload == P3D_OFFLOAD_NONE)
        return false;
    m->plan.offload = P3D_OFFLOAD_NONE;
    m->plan.offload_frac = 0;
    m->plan.offload_nvme = false;
    name(m, "keep all states on the GPU");
    return true;
}

static bool set_micro_batch(search_move *m, int sequences)
{
    if (m->problem->job.global_batch / m->plan.dp % sequences != 0)
        return false;
    name(m,
            sequences > m->plan.micro_batch ? "larger micro-batch: %d -> %d"
                                            : "smaller micro-batch: %d -> %d",
            m->plan.micro_batch, sequences);
    m->plan.micro_batch = sequences;
    return true;
}

static bool larger_micro_batch(search_move *m)
{
    return set_micro_batch(m, m->plan.micro_batch * 2);
}

static bool smaller_micro_batch(search_move *m)
{
    return m->plan.micro_batch % 2 == 0 &&
           set_micro_batch(m, m->plan.micro_batch / 2);
}

static bool split_sequence(search_move *m)
{
    if (m->plan.tp == 1 || m->plan.sequence_parallel)
        return false;
    m->plan.sequence_parallel = true;
    name(m, "add sequence parallelism");
    return true;
}

/** As many chunks as are fast; how many is settled. */
static bool interleave(search_move *m)
{
    if (m->plan.pp == 1 || m->plan.vp > 1 ||
            !p3d_schedule_offered(P3D_INTERLEAVED, m->problem->job.framework))
        return false;
    m->plan.schedule = P3D_INTERLEAVED;
    name(m, "interleave the pipeline");
    return true;
}

static bool no_interleaving(search_move *m)
{
    if (m->plan.schedule != P3D_INTERLEAVED)
        return false;
    name(m, "do not interleave the pipeline");
    m->plan.schedule = P3D_1F1B;
    m->plan.vp = 1;
    m->plan.group = 0;
    return true;
}

/** What is recomputed is settled after every move; here alone. */
static bool recompute_anew(search_move *m)
{
    (void)m;
    return true;
}

/* Two at once, where each alone takes too much room or time. */

static bool tp_to_pp_interleaved(search_move *m)
{
    const p3d_plan before = m->plan;

    if (before.pp > 1 || !shift(m, TP, PP) || !interleave(m))
        return false;
    name(m, "more stages, interleaved: PP %d -> %d, TP %d -> %d", before.pp,
            m->plan.pp, before.tp, m->plan.tp);
    return true;
}

/** What does not fit recomputes too little. */
static bool recompute_more(search_move *m)
{
    const p3d_plan *const plan = &m->plan;

    if (plan->recompute == P3D_RECOMPUTE_FULL && plan->recompute_layers == 0)
        return false;
    name(m, "recompute more");
    return true;
}

static bool tp_to_dp_and_less_at_once(search_move *m)
{
    const p3d_plan before = m->plan;

    if (!smaller_micro_batch(m) || !shift(m, TP, DP))
        return false;
    name(m, "more replicas: DP %d -> %d, TP %d -> %d, micro-batch %d",
            before.dp, m->plan.dp, before.tp, m->plan.tp, m->plan.micro_batch);
    return true;
}

static bool tp_to_cp_and_zero_3(search_move *m)
{
    const p3d_plan before = m->plan;

    if (!is_long(m) || !shift(m, TP, CP) || !zero_3(m))
        return false;
    name(m, "split sequences further: CP %d -> %d, TP %d -> %d, ZeRO 3",
            before.cp, m->plan.cp, before.tp, m->plan.tp);
    return true;
}

/** All of tensor parallelism for replicas that share everything: with half of
 *  it each collective would still be paid for. Who has stages or experts has
 *  split the states already, and moves those first. */
static bool tp_to_dp_and_zero_3(search_move *m)
{
    const p3d_plan before = m->plan;
    p3d_plan *const plan = &m->plan;

    if (before.tp == 1 || before.pp > 1 || m->problem->model.n_experts > 0)
        return false;
    plan->dp *= plan->tp;
    plan->tp = 1;
    follow(m, &before);
    if (!zero_3(m))
        return false;
    (void)no_offload(m);
    name(m, "replicas alone: DP %d -> %d, TP %d -> 1, ZeRO 3", before.dp,
            plan->dp, before.tp);
    return true;
}

static const search_saver savers[] = {
        {recompute_more, false, "keep fewer activations"},
        {smaller_micro_batch, true, "fewer activations at once"},
        {split_sequence, false, "split what each tensor-parallel rank repeats"},
        {experts_in_the_node, true, "spread the experts over the node"},
        {zero_1, false, "shard the optimizer's states"},
        {zero_2, false, "shard the gradients"},
        {dp_to_pp, true, "share the layers out to more stages"},
        {dp_to_tp, true, "split the matrices of the layers in the node"},
        {more_experts_apart, true, "spread the experts over more nodes"},
        {dp_to_cp, true, "split long sequences"},
        {zero_3, false, "shard the weights"},
        {offload_optimizer, false,
                "last resort: optimizer states in host memory"},
        {zero_1_and_offload, false,
                "last resort: optimizer states in host memory"},
        {offload_parameters, false, "last resort: weights in host memory"},
};

#define TERM(name) offsetof(p3d_time, name##_s)
#define OF_OFFLOAD    \
    "offload", 1,     \
    {                 \
        TERM(offload) \
    }
#define OF_REPLICAS                   \
    "data-parallel communication", 1, \
    {                                 \
        TERM(dp_comm)                 \
    }
#define OF_RECOMPUTE    \
    "recomputation", 1, \
    {                   \
        TERM(recompute) \
    }
#define OF_TENSORS                      \
    "tensor-parallel communication", 1, \
    {                                   \
        TERM(tp_comm)                   \
    }
#define OF_CONTEXT                       \
    "context-parallel communication", 1, \
    {                                    \
        TERM(cp_comm)                    \
    }
#define OF_EXPERTS                      \
    "expert-parallel communication", 1, \
    {                                   \
        TERM(ep_comm)                   \
    }
#define OF_BUBBLE                      \
    "bubble and transfers", 2,         \
    {                                  \
        TERM(pp_bubble), TERM(pp_comm) \
    }
#define ROOM \
    NULL, 0, \
    {        \
        0    \
    }

static const search_hastener hasteners[] = {
        {no_offload, OF_OFFLOAD},
        {lower_zero, OF_REPLICAS},
        {recompute_anew, OF_RECOMPUTE},
        {tp_to_dp, OF_TENSORS},
        {tp_to_pp, OF_TENSORS},
        {tp_to_pp_interleaved, OF_TENSORS},
        {tp_to_cp, OF_TENSORS},
        {tp_to_dp_and_less_at_once, OF_TENSORS},
        {cp_to_dp, ROOM},
        {cp_to_tp, OF_CONTEXT},
        {fewer_experts_apart, OF_EXPERTS},
        {pp_to_dp, OF_BUBBLE},
        {interleave, OF_BUBBLE},
        {smaller_micro_batch, OF_BUBBLE},
        {pp_to_tp, OF_BUBBLE},
        {no_interleaving, OF_BUBBLE},
        {dp_to_pp, OF_RECOMPUTE},
        {dp_to_cp, OF_RECOMPUTE},
        {dp_to_tp, OF_RECOMPUTE},
        {more_experts_apart, OF_RECOMPUTE},
        {higher_zero, OF_RECOMPUTE},
        {larger_micro_batch, ROOM},
        {dp_to_pp, OF_REPLICAS},
        {offload_optimizer, OF_RECOMPUTE},
        {zero_1_and_offload, OF_RECOMPUTE},
        {tp_to_cp_and_zero_3, OF_RECOMPUTE},
        {tp_to_dp_and_zero_3, OF_TENSORS},
};

const search_saver *search_savers(int *n)
{
    *n = P3D_COUNT_OF(savers);
    return savers;
}

const search_hastener *search_hasteners(int *n)
{
    *n = P3D_COUNT_OF(hasteners);
    return hasteners;
}

void search_name_settled(search_move *m, const p3d_plan *before)
{
    char part[2][P3D_PLAN_PART];

    if (m->decision[0] != '\0')
        return;
    if (m->plan.recompute == P3D_RECOMPUTE_NONE)
        name(m, "no recomputation");
    else
        name(m, "recompute less: %.20s -> %.24s",
                p3d_print_recompute(before, part[0]),
                p3d_print_recompute(&m->plan, part[1]));
}
