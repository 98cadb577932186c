/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_bottleneck.c - whether the network between the nodes is what a step
 * waits for: the same plan with a network that takes no time. */
#include <string.h>

#include "base/util.h"
#include "report/answer.h"
#include "report/text/layout.h"
#include "report/text/text.h"

/* A network that takes less of a step is no bottleneck. */
static const double LEAST_FRAC = 0.1;

/* So many times as fast is as good as no delay. */
static const double AT_ONCE = 1e6;

/* A step without the delay of the network; 0 where that is not known. */
static double step_at_once(const report_document *d, const report_answer *a)
{
    p3d_problem at_once = d->question.problem;
    p3d_fabric *const f = &at_once.cluster.fabric;
    p3d_refusal refusal = {0};
    p3d_estimate e;

    f->nic_bytes_per_s_one_way *= AT_ONCE;
    f->latency_s /= AT_ONCE;
    at_once.cluster.calibration.network = (p3d_network_fit){0};
    at_once.cluster.tiers.n = 0;
    return p3d_estimate_plan(&at_once, &a->found.plan, &e, &refusal)
                   ? p3d_time_step_s(&e.time)
                   : 0;
}

static int largest_term(const p3d_time *time)
{
    int most = 0;

    for (int i = 1; i < REPORT_N_TIME_TERMS; i++)
        if (report_time_term_s(time, i) > report_time_term_s(time, most))
            most = i;
    return most;
}

void report_text_bottleneck(
        const report_document *d, const report_answer *a, p3d_text *out)
{
    const p3d_cluster *const c = &d->question.problem.cluster;
    const int most = largest_term(&a->found.time);
    const double all_s = p3d_time_step_s(&a->found.time);
    const double at_once_s = step_at_once(d, a);
    const double frac = at_once_s > 0 ? 1 - at_once_s / all_s : 0;

    if (c->n_gpus <= c->node.gpus_per_node)
        report_wrap_labelled("network", out,
                "no, it is not the bottleneck: all GPUs are in one node");
    else if (frac >= LEAST_FRAC)
        report_wrap_labelled("network", out,
                "yes, it is a bottleneck: a step waits %.1f %% of its time for "
                "%s; the largest part is %s, %.1f %%",
                100 * frac, c->fabric.name,
                report_say(out->style, report_time_terms[most].words),
                100 * report_time_term_s(&a->found.time, most) / all_s);
    else
        report_wrap_labelled("network", out,
                "no, it is not the bottleneck: a step waits %.1f %% of its "
                "time for %s; the largest part is %s, %.1f %%",
                100 * frac, c->fabric.name,
                report_say(out->style, report_time_terms[most].words),
                100 * report_time_term_s(&a->found.time, most) / all_s);
}
