/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit.c - the constants of each form of cost, from measured kernels: the least
 * mean error over a few bounded constants. */
#include "plan3d/fit.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multimin.h>
#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "base/util.h"
#include "cost/cost.h"

enum { MAX_STEPS = 4000, MAX_RESTARTS = 12, N_PARTS = 5 };

/* A simplex smaller than this in logits has converged; a restart that gains
 * less than this in mean error is the last. */
static const double SMALLEST_SIMPLEX = 1e-4;
static const double LEAST_GAIN = 1e-5;

/* A constant that is sought: where it may lie and where to begin. */
typedef struct constant {
    double low;
    double high;
    double start; /* low < start < high */
} constant;

enum { MAX_CONSTANTS = 8 };

/* What is fitted to what. */
typedef struct task {
    const p3d_measured_kernels *from;
    const constant *constants;
    int n;
    /* Seconds that a set of constants predicts for a kernel. */
    double (*predict)(const double *constants,
            const p3d_measured_kernel *kernel, void *context);
    void *context;
} task;

typedef struct problem {
    task task;
    int held; /* part that is left out; N_PARTS = none */
    gsl_multimin_fminimizer *simplex;
    gsl_vector *x, *step;
} problem;

/* Part of a shape, the same one in every run. */
static int part_of(const p3d_measured_kernel *kernel)
{
    const p3d_op *op = &kernel->op;
    const uint64_t parts[] = {(uint64_t)op->m, (uint64_t)op->n, (uint64_t)op->k,
            (uint64_t)op->heads, (uint64_t)op->seq_q, (uint64_t)op->qk_dim,
            (uint64_t)op->bytes, (uint64_t)kernel->n_ranks};
    uint64_t hash = 14695981039346656037u; /* FNV-1a */

    for (int i = 0; i < P3D_COUNT_OF(parts); i++)
        hash = (hash ^ parts[i]) * 1099511628211u;
    if (kernel->n_nodes > 1)
        hash = (hash ^ (uint64_t)kernel->n_nodes) * 1099511628211u;
    return (int)((hash >> 33) % N_PARTS);
}

static double logit_of(constant c, double value)
{
    const double share = (value - c.low) / (c.high - c.low);

    return p3d_log(share / (1 - share));
}

static double value_of(constant c, double logit)
{
    return c.low + (c.high - c.low) / (1 + p3d_exp(-logit));
}

static void values_of(const problem *p, const gsl_vector *x, double *out)
{
    for (int i = 0; i < p->task.n; i++)
        out[i] = value_of(p->task.constants[i], gsl_vector_get(x, (size_t)i));
}

static double loss(const gsl_vector *x, void *context)
{
    const problem *p = context;
    double values[MAX_CONSTANTS];
    double sum = 0;
    int n = 0;

    values_of(p, x, values);
    for (int i = 0; i < p->task.from->n; i++) {
        const p3d_measured_kernel *k = &p->task.from->items[i];

        if (part_of(k) == p->held)
            continue;
        sum += fabs(p3d_log(
                p->task.predict(values, k, p->task.context) / k->time_s));
        n++;
    }
    return n > 0 ? sum / n : 0;
}

/* Add the errors on one part, or on all of them.*/
static void add_errors(
        const problem *p, const double *values, int part, double *sum)
{
    for (int i = 0; i < p->task.from->n; i++) {
        const p3d_measured_kernel *k = &p->task.from->items[i];

        if (part != N_PARTS && part_of(k) != part)
            continue;
        *sum += fabs(
                p->task.predict(values, k, p->task.context) / k->time_s - 1);
    }
}

/* One run of the simplex from p->x, which it moves. @return the loss there */
static double descend(problem *p, gsl_multimin_function *f)
{
    gsl_vector_set_all(p->step, 0.7);
    gsl_multimin_fminimizer_set(p->simplex, f, p->x, p->step);
    for (int i = 0; i < MAX_STEPS; i++) {
        if (gsl_multimin_fminimizer_iterate(p->simplex) != GSL_SUCCESS ||
                gsl_multimin_fminimizer_size(p->simplex) < SMALLEST_SIMPLEX)
            break;
    }
    gsl_vector_memcpy(p->x, p->simplex->x);
    return p->simplex->fval;
}

static void run(problem *p, double *out)
{
    gsl_multimin_function sum = {
            .f = loss, .n = (size_t)p->task.n, .params = p};
    double best = HUGE_VAL;

    for (int i = 0; i < p->task.n; i++)
        gsl_vector_set(p->x, (size_t)i,
                logit_of(p->task.constants[i], p->task.constants[i].start));
    for (int i = 0; i < MAX_RESTARTS; i++) {
        const double now = descend(p, &sum);

        if (now > best - LEAST_GAIN)
            break;
        best = now;
    }
    values_of(p, p->x, out);
}

/* Fit without each part in turn, then to all. */
static void fit_parts(problem *p, double *out, p3d_fit_quality *quality)
{
    *quality = (p3d_fit_quality){.n_kernels = p->task.from->n};
    for (int part = 0; part <= N_PARTS; part++) {
        double *const sum = part == N_PARTS ? &quality->error_frac
                                            : &quality->held_error_frac;

        p->held = part;
        run(p, out);
        add_errors(p, out, part, sum);
    }
    quality->error_frac /= p->task.from->n;
    quality->held_error_frac /= p->task.from->n;
}

/*
 * Least mean |ln(predicted / measured)| over all kernels, by Nelder and Mead's
 * simplex on the logits of the constants, restarted until it no longer gains;
 * and the error of the same procedure on kernels that it has not seen.
 */
static bool minimize(
        task t, double *out, p3d_fit_quality *quality, p3d_error *err)
{
    const size_t n = (size_t)t.n;
    problem p = {.task = t};
    gsl_error_handler_t *handler;
    bool ok;

    P3D_ASSERT(t.n >= 1 && t.n <= MAX_CONSTANTS);
    if (t.from->n < P3D_LEAST_MEASURED)
        return p3d_fail(err, P3D_DATA,
                "%d measured kernels, at least %d needed", t.from->n,
                P3D_LEAST_MEASURED);
    handler = gsl_set_error_handler_off();
    p.simplex = gsl_multimin_fminimizer_alloc(
            gsl_multimin_fminimizer_nmsimplex2, n);
    p.x = gsl_vector_alloc(n);
    p.step = gsl_vector_alloc(n);
    ok = p.simplex != NULL && p.x != NULL && p.step != NULL;
    if (ok)
        fit_parts(&p, out, quality);
    gsl_vector_free(p.step);
    gsl_vector_free(p.x);
    gsl_multimin_fminimizer_free(p.simplex);
    gsl_set_error_handler(handler);
    return ok || p3d_fail(err, P3D_SYSTEM, "out of memory for a fit");
}

static bool is_given(const p3d_measured_kernels *from)
{
    return from != NULL && from->gpu != NULL && from->items != NULL &&
           from->n >= 0;
}

/* The memory term is weakly seen in large products; what a roofline fits there
 * is no bandwidth, so it is set. */
static const double ROOFLINE_MEMORY_FRAC = 0.8;

static const constant roofline[] = {
        {0.2e-6, 2e-5, 3e-6}, /* launch_s */
        {0.05, 1, 0.75},      /* peak_frac */
        {-1, 2000, 100},      /* k_ramp */
};

static const constant tile_wave[] = {
        {0.2e-6, 2e-5, 3e-6}, /* launch_s */
        {0.05, 1, 0.9},       /* peak_frac */
        {-1, 2000, 190},      /* k_ramp */
        {0.3, 1, 0.9},        /* memory_frac */
        {0, 1, 0.85},         /* wave_q */
        {0.3, 1.2, 0.85},     /* tile_128_frac */
        {0.3, 1.2, 0.93},     /* tile_64_frac */
        {1, 20, 8},           /* p_norm */
};

static void set_product(const double *x, p3d_gemm_fit *fit)
{
    fit->launch_s = x[0];
    fit->peak_frac = x[1];
    fit->k_ramp = x[2] > 0 ? x[2] : 0;
    if (!fit->tile_wave) {
        fit->memory_frac = ROOFLINE_MEMORY_FRAC;
        return;
    }
    fit->memory_frac = x[3];
    fit->wave_q = x[4];
    fit->tile_128_frac = x[5];
    fit->tile_64_frac = x[6];
    fit->p_norm = x[7];
}

static double predict_product(
        const double *x, const p3d_measured_kernel *kernel, void *context)
{
    p3d_cluster *cluster = context;
    const p3d_op *op = &kernel->op;

    set_product(x, &cluster->calibration.gemm);
    return cost_gemm_s(cluster, op->dtype == P3D_FP8 ? P3D_FP8 : P3D_BF16,
            (cost_product){op->m, op->n, op->k, op->count});
}

bool p3d_fit_gemm(const p3d_measured_kernels *from, bool tiles,
        p3d_gemm_fit *out, p3d_fit_quality *quality, p3d_error *err)
{
    if (!is_given(from) || out == NULL || quality == NULL)
        return p3d_misuse(err, __func__);

    p3d_cluster cluster = {.gpu = *from->gpu,
            .calibration = {.sustained_frac = 1, .gemm = {.tile_wave = tiles}}};
    double x[MAX_CONSTANTS];

    if (!minimize((task){from, tiles ? tile_wave : roofline,
                          tiles ? P3D_COUNT_OF(tile_wave)
                                : P3D_COUNT_OF(roofline),
                          predict_product, &cluster},
                x, quality, err))
        return false;
    out->tile_wave = tiles;
    set_product(x, out);
    out->error_frac = quality->held_error_frac;
    return true;
}

enum { N_RAMPS = 3 };

static const constant ramps[N_RAMPS] = {
        {4e-6, 1, 8e-6},  /* launch_s */
        {-1, 3000, 500},  /* seq_ramp */
        {-0.01, 3, 0.25}, /* wave_ramp */
};
static const constant peak_frac = {0.02, 1.2, 0.5};

/* Head sizes in the order of p3d_attention_pass. */
static const int sizes[P3D_N_HEAD_SIZES] = {64, 128, 160, 256};

typedef struct attention_fit {
    p3d_cluster cluster;
    p3d_attention_pass pass;
    int n_sizes;
    int size[P3D_N_HEAD_SIZES]; /* places of those that were measured */
} attention_fit;

static void find_sizes(const p3d_measured_kernels *from, attention_fit *fit)
{
    for (int s = 0; s < P3D_N_HEAD_SIZES; s++) {
        for (int i = 0; i < from->n; i++) {
            const p3d_op *op = &from->items[i].op;

            if (op->qk_dim + op->v_dim == 2 * sizes[s]) {
                fit->size[fit->n_sizes++] = s;
                break;
            }
        }
    }
}

static void set_attention(const double *x, attention_fit *fit)
{
    fit->pass.launch_s = x[0];
    fit->pass.seq_ramp = x[1] > 0 ? x[1] : 0;
    fit->pass.wave_ramp = x[2] > 0 ? x[2] : 0;
    for (int i = 0; i < fit->n_sizes; i++)
        fit->pass.peak_frac[fit->size[i]] = x[N_RAMPS + i];
}

static double predict_attention(
        const double *x, const p3d_measured_kernel *kernel, void *context)
{
    attention_fit *fit = context;
    p3d_attention_fit *const out =
            &fit->cluster.calibration.attention[P3D_FLASH_2];
    p3d_op op = kernel->op;
    double t;

    set_attention(x, fit);
    out->forward = out->backward = fit->pass;
    t = cost_attention_s(&fit->cluster, P3D_BF16, &op);
    if (kernel->both_passes) {
        op.phase = P3D_BACKWARD;
        t += cost_attention_s(&fit->cluster, P3D_BF16, &op);
    }
    return t;
}

bool p3d_fit_attention(const p3d_measured_kernels *from,
        double longest_launch_s, p3d_attention_pass *out,
        p3d_fit_quality *quality, p3d_error *err)
{
    if (!is_given(from) || out == NULL || quality == NULL)
        return p3d_misuse(err, __func__);

    attention_fit fit = {
            .cluster = {.gpu = *from->gpu,
                    .calibration = {.attention[P3D_FLASH_2] = {.error_frac =
                                                                       1}}},
            .pass = *out};
    constant constants[MAX_CONSTANTS];
    double x[MAX_CONSTANTS];

    find_sizes(from, &fit);
    for (int i = 0; i < N_RAMPS; i++)
        constants[i] = ramps[i];
    constants[0].high = longest_launch_s;
    for (int i = 0; i < fit.n_sizes; i++)
        constants[N_RAMPS + i] = peak_frac;
    if (!minimize((task){from, constants, N_RAMPS + fit.n_sizes,
                          predict_attention, &fit},
                x, quality, err))
        return false;
    set_attention(x, &fit);
    *out = fit.pass;
    return true;
}

static const constant pass_constants[] = {
        {0.05, 1, 0.8},     /* hbm_frac */
        {1e-7, 5e-5, 4e-6}, /* launch_s */
};

static double predict_pass(
        const double *x, const p3d_measured_kernel *kernel, void *context)
{
    p3d_cluster *cluster = context;

    cluster->calibration.pass =
            (p3d_pass_fit){.hbm_frac = x[0], .launch_s = x[1]};
    return cost_pass_s(cluster, kernel->op.pass_kind, kernel->op.bytes, 1);
}

static bool fit_rate(const p3d_measured_kernels *from, p3d_pass_rate *out,
        p3d_fit_quality *quality, p3d_error *err)
{
    p3d_cluster cluster = {.gpu = *from->gpu};
    double x[MAX_CONSTANTS];

    if (!minimize((task){from, pass_constants, P3D_COUNT_OF(pass_constants),
                          predict_pass, &cluster},
                x, quality, err))
        return false;
    *out = (p3d_pass_rate){.hbm_frac = x[0], .launch_s = x[1]};
    return true;
}

/* Mean error of some kernels by such constants. */
static double rate_error_frac(
        const p3d_measured_kernels *from, p3d_pass_rate rate)
{
    p3d_cluster cluster = {.gpu = *from->gpu};
    const double x[] = {rate.hbm_frac, rate.launch_s};
    double sum = 0;

    for (int i = 0; i < from->n; i++)
        sum += fabs(predict_pass(x, &from->items[i], &cluster) /
                            from->items[i].time_s -
                    1);
    return sum / from->n;
}

/* A kind has a rate of its own where the kernels show it: the error on those
 * that it was not fitted to is less by this share than the error that one rate
 * for all kinds has on the same kernels, which it was fitted to. */
static const double LEAST_KIND_GAIN_FRAC = 0.1;

/* Passes by kind: rates of the kinds, and one of the others together. */
typedef struct pass_fit {
    const p3d_measured_kernels *from;
    p3d_measured_kernel *some; /* room for as many */
    p3d_pass_rate all;
    p3d_pass_fit found;
    p3d_fit_quality sum; /* errors times kernels */
} pass_fit;

/* The kernels of a kind; of P3D_N_PASS_KINDS, of those without a rate. */
static p3d_measured_kernels of_kind(const pass_fit *p, int kind)
{
    p3d_measured_kernels of = {.gpu = p->from->gpu, .items = p->some};

    for (int i = 0; i < p->from->n; i++) {
        const p3d_measured_kernel *const k = &p->from->items[i];
        const bool apart = p->found.kind[k->op.pass_kind].hbm_frac > 0;

        if (kind == P3D_N_PASS_KINDS ? !apart : (int)k->op.pass_kind == kind)
            p->some[of.n++] = *k;
    }
    return of;
}

static void add_quality(pass_fit *p, p3d_fit_quality q)
{
    p->sum.error_frac += q.n_kernels * q.error_frac;
    p->sum.held_error_frac += q.n_kernels * q.held_error_frac;
}

static bool fit_kind(pass_fit *p, int kind, p3d_error *err)
{
    const p3d_measured_kernels of = of_kind(p, kind);
    p3d_fit_quality own;
    p3d_pass_rate rate;

    if (of.n < P3D_LEAST_MEASURED || of.n == p->from->n)
        return true;
    if (!fit_rate(&of, &rate, &own, err))
        return false;
    if (own.held_error_frac <
            (1 - LEAST_KIND_GAIN_FRAC) * rate_error_frac(&of, p->all)) {
        p->found.kind[kind] = rate;
        add_quality(p, own);
    }
    return true;
}

/* Those that are left. Too few keep what was fitted to all kernels. */
static bool fit_rest(pass_fit *p, p3d_fit_quality all, p3d_error *err)
{
    const p3d_measured_kernels of = of_kind(p, P3D_N_PASS_KINDS);
    p3d_fit_quality q = {of.n, 0, all.held_error_frac};
    p3d_pass_rate rate = p->all;

    if (of.n >= P3D_LEAST_MEASURED && !fit_rate(&of, &rate, &q, err))
        return false;
    if (of.n > 0 && of.n < P3D_LEAST_MEASURED)
        q.error_frac = rate_error_frac(&of, rate);
    add_quality(p, q);
    p->found.hbm_frac = rate.hbm_frac;
    p->found.launch_s = rate.launch_s;
    return true;
}

static bool fit_kinds(pass_fit *p, p3d_fit_quality *quality, p3d_error *err)
{
    if (!fit_rate(p->from, &p->all, quality, err))
        return false;
    for (int kind = 0; kind < P3D_N_PASS_KINDS; kind++)
        if (!fit_kind(p, kind, err))
            return false;
    if (!fit_rest(p, *quality, err))
        return false;
    quality->error_frac = p->sum.error_frac / p->from->n;
    quality->held_error_frac = p->sum.held_error_frac / p->from->n;
    p->found.error_frac = quality->held_error_frac;
    return true;
}

bool p3d_fit_pass(const p3d_measured_kernels *from, p3d_pass_fit *out,
        p3d_fit_quality *quality, p3d_error *err)
{
    if (!is_given(from) || out == NULL || quality == NULL)
        return p3d_misuse(err, __func__);

    pass_fit p = {
            .from = from, .some = calloc((size_t)from->n + 1, sizeof(*p.some))};
    const bool ok = p.some == NULL ? p3d_fail(err, P3D_SYSTEM, "out of memory")
                                   : fit_kinds(&p, quality, err);

    free(p.some);
    if (ok)
        *out = p.found;
    return ok;
}

static const constant collective_constants[] = {
        {1e-6, 1e-4, 8e-6}, /* launch_s */
        {0, 1e-5, 8e-7},    /* step_s */
        {0.05, 1, 0.75},    /* link_frac */
        {0, 1e-7, 1e-8},    /* ramp_s_per_sqrt_byte */
};

typedef struct collective_fit {
    p3d_cluster cluster;
    p3d_collective collective;
} collective_fit;

static p3d_collective_fit collective_of(const double *x)
{
    return (p3d_collective_fit){.launch_s = x[0],
            .step_s = x[1],
            .link_frac = x[2],
            .ramp_s_per_sqrt_byte = x[3]};
}

static double predict_collective(
        const double *x, const p3d_measured_kernel *kernel, void *context)
{
    collective_fit *fit = context;
    const cost_group group = {.n_ranks = kernel->n_ranks,
            .n_nodes = 1,
            .ranks_per_node = kernel->n_ranks};

    fit->cluster.calibration.collective[fit->collective] = collective_of(x);
    return cost_collective_s(
            &fit->cluster, fit->collective, group, kernel->op.bytes);
}

bool p3d_fit_collective(const p3d_measured_kernels *from,
        p3d_collective collective, p3d_collective_fit *out,
        p3d_fit_quality *quality, p3d_error *err)
{
    if (!is_given(from) || out == NULL || quality == NULL ||
            (unsigned)collective >= P3D_N_COLLECTIVES)
        return p3d_misuse(err, __func__);

    collective_fit fit = {.cluster = {.gpu = *from->gpu,
                                  .node = {.gpus_per_nvlink_domain = 8},
                                  .calibration = {.nvls_factor = 1}},
            .collective = collective};
    double x[MAX_CONSTANTS];

    if (!minimize((task){from, collective_constants,
                          P3D_COUNT_OF(collective_constants),
                          predict_collective, &fit},
                x, quality, err))
        return false;
    *out = collective_of(x);
    return true;
}

/* Rates of the network, of each GPU. Where the links of a node are slower, the
 * points tell no more than that the network is not: any rate above theirs is
 * as good. */
static const constant network_constants[] = {
        {1e-6, 2e-3, 5e-5}, /* latency_s */
        {0, 1e-6, 1e-8},    /* multinode_ramp_s_per_sqrt_byte */
        {1e8, 4e11, 4e10},  /* all_reduce_bytes_per_s */
        {1e8, 4e11, 4e10},  /* all_gather_bytes_per_s */
};
static const constant all_to_all_constant = {1e8, 4e11, 3e10};

/* Which of them the points tell, and where they go. */
typedef struct network_fit {
    p3d_cluster cluster;
    constant constants[MAX_CONSTANTS];
    double *members[MAX_CONSTANTS];
    int n;
} network_fit;

double p3d_network_point_s(
        const p3d_cluster *cluster, const p3d_measured_kernel *point)
{
    if (cluster == NULL || point == NULL || point->n_nodes < 2)
        return 0;

    /* Cards that are never the limit, so that shares are below 1. */
    static const double CARDS = 1e12;
    const p3d_network_fit *const n = &cluster->calibration.network;
    const int each = point->n_ranks / point->n_nodes;
    const double usual = cluster->fabric.nic_bytes_per_s_one_way *
                         cluster->node.nics_per_node /
                         cluster->node.gpus_per_node;
    p3d_cluster c = *cluster;
    const cost_group group = {.n_ranks = point->n_ranks,
            .n_nodes = point->n_nodes,
            .ranks_per_node = each,
            .nic_bytes_per_s_one_way = CARDS * each};
    p3d_fabric *const f = &c.fabric;

    if (n->latency_s > 0)
        f->latency_s = n->latency_s;
    f->all_reduce_frac = n->all_reduce_bytes_per_s > 0
                                 ? n->all_reduce_bytes_per_s / CARDS
                                 : f->all_reduce_frac * usual / CARDS;
    f->all_gather_frac = n->all_gather_bytes_per_s > 0
                                 ? n->all_gather_bytes_per_s / CARDS
                                 : f->all_gather_frac * usual / CARDS;
    f->p2p_frac = n->all_to_all_bytes_per_s > 0
                          ? n->all_to_all_bytes_per_s / CARDS
                          : f->p2p_frac * usual / CARDS;
    return cost_collective_s(&c, point->op.collective, group, point->op.bytes);
}

static double predict_network(
        const double *x, const p3d_measured_kernel *kernel, void *context)
{
    network_fit *const fit = context;

    for (int i = 0; i < fit->n; i++)
        *fit->members[i] = x[i];
    return p3d_network_point_s(&fit->cluster, kernel);
}

static bool has(const p3d_measured_kernels *from, p3d_collective op)
{
    for (int i = 0; i < from->n; i++)
        if (from->items[i].op.collective == op)
            return true;
    return false;
}

static void seek(network_fit *fit, constant c, double *member)
{
    fit->constants[fit->n] = c;
    fit->members[fit->n++] = member;
}

static void find_sought(const p3d_measured_kernels *from, network_fit *fit)
{
    p3d_calibration *const c = &fit->cluster.calibration;

    if (has(from, P3D_ALL_TO_ALL)) {
        seek(fit, all_to_all_constant, &c->network.all_to_all_bytes_per_s);
        return;
    }
    seek(fit, network_constants[0], &c->network.latency_s);
    seek(fit, network_constants[1], &c->multinode_ramp_s_per_sqrt_byte);
    if (has(from, P3D_ALL_REDUCE))
        seek(fit, network_constants[2], &c->network.all_reduce_bytes_per_s);
    if (has(from, P3D_ALL_GATHER) || has(from, P3D_REDUCE_SCATTER))
        seek(fit, network_constants[3], &c->network.all_gather_bytes_per_s);
}

bool p3d_fit_network(const p3d_measured_kernels *from, p3d_cluster *cluster,
        p3d_fit_quality *quality, p3d_error *err)
{
    if (!is_given(from) || cluster == NULL || quality == NULL)
        return p3d_misuse(err, __func__);

    network_fit fit = {.cluster = *cluster};
    double x[MAX_CONSTANTS];

    find_sought(from, &fit);
    if (!minimize((task){from, fit.constants, fit.n, predict_network, &fit}, x,
                quality, err))
        return false;
    for (int i = 0; i < fit.n; i++)
        *fit.members[i] = x[i];
    *cluster = fit.cluster;
    return true;
}
