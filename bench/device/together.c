/* SPDX-License-Identifier: GPL-3.0-or-later */
/* together.c - agreements and spreads over all ranks. */
#include "bench/device/together.h"

#include <math.h>
#include <stdlib.h>

bench_verdict bench_verdict_of(bool ok, const p3d_error *cause)
{
    if (ok)
        return BENCH_DONE;
    return cause->code == P3D_DATA ? BENCH_LEFT_OUT : BENCH_FAILED;
}

static bool is_alone(const bench_task *task)
{
    return task->net == NULL || task->launch->n_ranks == 1;
}

/* One number of each rank, on rank 0.
 * @param out  release with free(), also on other ranks */
static bool gather(
        const bench_task *task, double mine, double **out, p3d_error *err)
{
    const size_t n = (size_t)task->launch->n_ranks;

    *out = calloc(n, sizeof(**out));
    if (*out == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    if (bench_net_gather(task->net, &mine, sizeof(mine), *out, err))
        return true;
    free(*out);
    return false;
}

bool bench_agree(const bench_task *task, bench_verdict mine, bench_verdict *all,
        p3d_error *err)
{
    double worst = (double)mine;
    double *each;

    *all = mine;
    if (is_alone(task))
        return true;
    if (!gather(task, worst, &each, err))
        return false;
    for (int i = 0; i < task->launch->n_ranks && task->launch->rank == 0; i++)
        worst = fmax(worst, each[i]);
    free(each);
    if (!bench_net_broadcast(task->net, &worst, sizeof(worst), err))
        return false;
    *all = (bench_verdict)worst;
    return true;
}

bool bench_begin_together(const bench_task *task, p3d_error *err)
{
    return is_alone(task) || bench_net_barrier(task->net, err);
}

bool bench_find_spread(const bench_task *task, double median_s,
        bench_spread *out, p3d_error *err)
{
    double *each;

    *out = (bench_spread){0};
    if (is_alone(task))
        return true;
    if (!gather(task, median_s, &each, err))
        return false;
    *out = (bench_spread){.n_devices = task->launch->n_ranks,
            .fastest_s = median_s,
            .slowest_s = median_s};
    for (int i = 0; i < task->launch->n_ranks && task->launch->rank == 0; i++) {
        out->fastest_s = fmin(out->fastest_s, each[i]);
        out->slowest_s = fmax(out->slowest_s, each[i]);
    }
    free(each);
    return true;
}
