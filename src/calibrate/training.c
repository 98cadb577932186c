/* SPDX-License-Identifier: GPL-3.0-or-later */
/* training.c - a whole training: its failures, real days, energy and money. */
#include "calibrate/training.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_min.h>
#include <math.h>

#include "base/elementary.h"
#include "base/util.h"
#include "cost/cost.h"
#include "plan3d/training.h"
#include "spec/given.h"

static const double S_PER_H = 3600;
static const double J_PER_KWH = 3.6e6;

/* A job that spends more than 99 of 100 hours on failures is not one that
 * anybody runs, nor one that the formula was made for. */
static const double LEAST_GOODPUT_FRAC = 0.01;

/* Of a save beside its bytes: every rank says what it has, and waits for the
 * others. Source: pytorch.org/blog/reducing-checkpointing-times (2024): steps
 * stop for "as short as 6 seconds" when only the copy to the host is waited
 * for, which alone would be below a second; "several seconds" in
 * arXiv:2402.15627 section 4.4. Assumes: A21. */
static const double SAVE_S = 6;

/* Preemptions whose notice is too short to save are failures like others. */
static double lost_rate(const p3d_training *t)
{
    const double every_s = t->operations.preempted_every_s;

    return every_s > 0 && !t->saves_at_notice ? 1 / every_s : 0;
}

/* The checkpoint goes over the links of all GPUs, then to the storage. With
 *  asynchronous saving, steps stop for the links alone. */
static cost_failures set_checkpoint(const p3d_problem *problem, p3d_training *t)
{
    const p3d_cluster *c = &problem->cluster;
    const p3d_operations *o = &t->operations;
    const double bytes = cost_checkpoint_bytes(problem);
    const double copy_s = bytes / (c->n_gpus * cost_host_copy_bytes_per_s(c));

    t->checkpoint_bytes = (int64_t)ceil(bytes);
    t->write_s = fmax(bytes / o->storage_bytes_per_s, copy_s);
    t->pause_s = SAVE_S + (o->async_save ? copy_s : t->write_s);
    t->saves_at_notice =
            o->preempted_every_s > 0 && o->notice_s >= SAVE_S + t->write_s;
    t->mtbf_s = 1 / (c->n_gpus / o->gpu_mtbf_s + lost_rate(t));
    return (cost_failures){.mtbf_s = t->mtbf_s,
            .restart_s = o->restart_s + t->write_s,
            .pause_s = t->pause_s,
            .behind_s = o->async_save ? t->write_s : 0};
}

enum { MAX_STEPS = 200 };

/* Of the interval; the overhead is flat to its square. */
static const double TOLERANCE = 1e-7;

static double overhead(double log_interval, void *failures)
{
    return cost_overhead_frac(failures, p3d_exp(log_interval));
}

static double descend(
        gsl_min_fminimizer *minimizer, gsl_function *f, double start_s)
{
    const cost_failures *failures = f->params;
    /* The best lies below M: there d/dt exp((t + C) / M) / t is positive. */
    const double low = p3d_log(start_s / 1000);
    const double high = p3d_log(2 * failures->mtbf_s);

    if (gsl_min_fminimizer_set(minimizer, f, p3d_log(start_s), low, high) !=
            GSL_SUCCESS)
        return start_s;
    for (int i = 0; i < MAX_STEPS; i++) {
        if (gsl_min_fminimizer_iterate(minimizer) != GSL_SUCCESS ||
                gsl_min_test_interval(gsl_min_fminimizer_x_lower(minimizer),
                        gsl_min_fminimizer_x_upper(minimizer), TOLERANCE,
                        0) == GSL_SUCCESS)
            break;
    }
    return p3d_exp(gsl_min_fminimizer_x_minimum(minimizer));
}

bool calibrate_interval(
        const cost_failures *f, double *interval_s, p3d_error *err)
{
    cost_failures failures = *f;
    gsl_function cost = {.function = overhead, .params = &failures};
    gsl_error_handler_t *const handler = gsl_set_error_handler_off();
    gsl_min_fminimizer *minimizer =
            gsl_min_fminimizer_alloc(gsl_min_fminimizer_brent);

    if (minimizer != NULL)
        *interval_s = descend(minimizer, &cost, cost_daly_interval_s(f));
    gsl_min_fminimizer_free(minimizer);
    gsl_set_error_handler(handler);
    return minimizer != NULL || p3d_fail(err, P3D_SYSTEM, "out of memory");
}

/* A number of steps is seconds over seconds, which round. */
static const double ROUNDING_FRAC = 1e-9;

/* The best whole number of steps: next to the best interval, not before the
 *  last checkpoint is written, and not beyond the training. */
static double whole_steps(
        const cost_failures *f, double best_s, double step_s, double n_steps)
{
    const double least = fmax(1, ceil(f->behind_s / step_s));
    const double below = fmax(floor(best_s / step_s), least);
    const double above = below + 1;
    const bool up = cost_overhead_frac(f, above * step_s) <
                    cost_overhead_frac(f, below * step_s);

    return fmin(
            up ? above : below, fmax(ceil(n_steps * (1 - ROUNDING_FRAC)), 1));
}

static bool set_interval(
        const cost_failures *f, double step_s, p3d_training *t, p3d_error *err)
{
    double best_s;
    double n_steps;

    if (!calibrate_interval(f, &best_s, err))
        return false;
    n_steps = whole_steps(f, best_s, step_s, t->ideal_s / step_s);
    t->young_interval_s = cost_young_interval_s(f);
    t->daly_interval_s = cost_daly_interval_s(f);
    t->checkpoint_interval_steps = (int64_t)n_steps;
    t->checkpoint_interval_s = n_steps * step_s;
    return true;
}

static void set_waiting(const p3d_cluster *cluster, p3d_training *t)
{
    const p3d_operations *o = &t->operations;
    const double load = o->repair_s / t->mtbf_s;
    double share;

    t->n_spare_nodes = o->n_spare_nodes;
    if (!(o->repair_s > 0))
        return;
    if (!o->fixed_spares)
        t->n_spare_nodes = cost_spares(cluster->n_nodes, load);
    share = cost_waiting_frac(t->n_spare_nodes, load);
    t->availability_frac = 1 - share;
    t->waiting_s = t->real_s * share / (1 - share);
    t->real_s += t->waiting_s;
}

static cost_preemptions preemptions_of(const p3d_training *t)
{
    const p3d_operations *const o = &t->operations;

    return (cost_preemptions){.every_s = o->preempted_every_s,
            .away_s = o->away_s,
            .again_s = t->saves_at_notice
                               ? SAVE_S + t->write_s + o->restart_s + t->write_s
                               : 0};
}

/* The times that the cluster is taken away come to what there is already. */
static void set_preemptions(p3d_training *t)
{
    const cost_preemptions p = preemptions_of(t);
    double up_s;

    if (!(p.every_s > 0))
        return;
    up_s = cost_up_s(&p, t->real_s);
    t->n_preemptions = up_s / p.every_s;
    if (t->saves_at_notice) {
        t->save_s += t->n_preemptions * (SAVE_S + t->write_s);
        t->restart_s +=
                t->n_preemptions * (t->operations.restart_s + t->write_s);
    }
    t->away_s = t->n_preemptions * p.away_s;
    t->real_s = up_s + t->away_s;
}

/* True when a job is done more often with saving and starting again than the
 * cluster is there. */
static bool is_away_too_often(const p3d_training *t)
{
    const cost_preemptions p = preemptions_of(t);

    return p.every_s > 0 && p.again_s >= p.every_s;
}

/* True when no interval has less overhead: it has one valley. */
static bool is_best(const cost_failures *f, double interval_s)
{
    static const double near = 1e-3; /* far beyond TOLERANCE */
    const double here = cost_overhead_frac(f, interval_s);

    return here <= cost_overhead_frac(f, interval_s * (1 - near)) &&
           here <= cost_overhead_frac(f, interval_s * (1 + near));
}

double calibrate_least_stretch(const p3d_problem *problem)
{
    static const double rounding = 1e-9;
    p3d_training t = {.operations = p3d_operations_of(problem)};
    const cost_failures f = set_checkpoint(problem, &t);
    double best_s;

    if ((f.pause_s + f.restart_s + f.behind_s) / f.mtbf_s >=
                    CALIBRATE_MOST_FAILURES ||
            is_away_too_often(&t))
        return HUGE_VAL;
    t.real_s = 1;
    if (calibrate_interval(&f, &best_s, NULL) && is_best(&f, best_s))
        t.real_s += cost_overhead_frac(&f, best_s);
    set_waiting(&problem->cluster, &t);
    set_preemptions(&t);
    return fmax(1, t.real_s * (1 - rounding));
}

/* Expected days of the whole training, in parts. */
static void set_days(
        const p3d_cluster *cluster, const cost_failures *f, p3d_training *t)
{
    const cost_segment s = cost_segment_of(f, t->checkpoint_interval_s);
    const double n_segments = t->ideal_s / s.work_s;

    t->save_s = n_segments * s.save_s;
    t->lost_s = n_segments * s.lost_s;
    t->restart_s = n_segments * s.restart_s;
    t->real_s = t->ideal_s + t->save_s + t->lost_s + t->restart_s;
    t->n_failures = t->real_s / f->mtbf_s;
    set_waiting(cluster, t);
    set_preemptions(t);
    t->goodput_frac = t->ideal_s / t->real_s;
    t->progresses = t->goodput_frac >= LEAST_GOODPUT_FRAC;
}

static void set_energy(const p3d_problem *problem, p3d_training *t)
{
    const p3d_cluster *c = &problem->cluster;
    const cost_power power = cost_power_per_gpu(c);
    const double spares = (double)t->n_spare_nodes * c->node.gpus_per_node;
    const double busy_s = t->ideal_s + t->lost_s;
    const double there_s = t->real_s - t->away_s;
    const double idle_gpu_s = c->n_gpus * (there_s - busy_s) + spares * there_s;

    t->power_w = power.work_w * c->n_gpus;
    t->energy_kwh = t->operations.pue *
                    (t->power_w * busy_s + power.idle_w * idle_gpu_s) /
                    J_PER_KWH;
    t->billion_tokens_kwh = t->energy_kwh / (problem->job.n_tokens / 1e9);
}

static void set_money(const p3d_problem *problem, p3d_training *t)
{
    const p3d_cluster *c = &problem->cluster;
    const p3d_operations *o = &t->operations;
    const double n_gpus =
            c->n_gpus + (double)t->n_spare_nodes * c->node.gpus_per_node;

    t->gpu_h = n_gpus * (t->real_s - t->away_s) / S_PER_H;
    t->rent_usd = problem->job.usd_per_gpu_h * t->gpu_h;
    t->billion_tokens_usd = t->rent_usd / (problem->job.n_tokens / 1e9);
    t->energy_usd = o->usd_per_kwh * t->energy_kwh;
    if (o->amortize_s > 0)
        t->purchase_usd = o->usd_per_gpu * n_gpus * t->real_s / o->amortize_s;
    t->total_usd = t->rent_usd + t->energy_usd + t->purchase_usd;
}

/* What is not known of a training that never ends. */
static p3d_training without_end(const p3d_training *t)
{
    return (p3d_training){.ideal_s = t->ideal_s,
            .checkpoint_bytes = t->checkpoint_bytes,
            .write_s = t->write_s,
            .pause_s = t->pause_s,
            .mtbf_s = t->mtbf_s,
            .operations = t->operations};
}

bool calibrate_training(const p3d_problem *problem, double ideal_s,
        double step_s, p3d_training *out, p3d_error *err)
{
    p3d_training t = {
            .ideal_s = ideal_s, .operations = p3d_operations_of(problem)};
    const cost_failures f = set_checkpoint(problem, &t);

    if ((f.pause_s + f.restart_s + f.behind_s + step_s) / f.mtbf_s <
                    CALIBRATE_MOST_FAILURES &&
            !is_away_too_often(&t)) {
        if (!set_interval(&f, step_s, &t, err))
            return false;
        set_days(&problem->cluster, &f, &t);
    }
    if (t.progresses) {
        set_energy(problem, &t);
        set_money(problem, &t);
    } else {
        t = without_end(&t);
    }
    *out = t;
    return true;
}

bool p3d_training_find(const p3d_problem *problem, const p3d_estimate *estimate,
        p3d_training *out, p3d_error *err)
{
    if (!spec_problem_given(problem) || !spec_estimate_given(estimate) ||
            out == NULL)
        return p3d_misuse(err, __func__);
    return calibrate_training(problem,
            problem->job.n_tokens / estimate->tokens_per_s,
            p3d_time_step_s(&estimate->time), out, err);
}

bool p3d_training_at(const p3d_problem *problem, const p3d_estimate *estimate,
        double step_s, p3d_training *out, p3d_error *err)
{
    if (!spec_problem_given(problem) || !spec_estimate_given(estimate) ||
            !(step_s > 0) || out == NULL)
        return p3d_misuse(err, __func__);
    return calibrate_training(problem,
            problem->job.n_tokens / estimate->tokens_per_s *
                    (step_s / p3d_time_step_s(&estimate->time)),
            step_s, out, err);
}
