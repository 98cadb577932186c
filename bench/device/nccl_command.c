/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nccl_command.c - plan3d-bench nccl: collectives of all ranks, and of the
 * groups of a plan, one group alone and all of them at once. */
#include <stdlib.h>
#include <unistd.h>

#include "base/util.h"
#include "bench/device/comm.h"
#include "bench/device/device.h"
#include "bench/host/groups.h"
#include "bench/host/processors.h"
#include "bench/host/ranks.h"
#include "bench/host/shapes.h"

/* What the measurements share. */
typedef struct ranks {
    bench_task *task;
    ncclComm_t world;
    uint64_t *hosts; /* rank 0: that of each rank */
    float *send;
    float *receive;
} ranks;

/* The ranks of one axis, of which this one is in a group. */
typedef struct axis {
    char word[16];
    bench_axis shape;
    ncclComm_t comm;
    bench_group group;
} axis;

/* Which groups run: the first alone, or all at once. */
typedef enum crowd { ALONE, TOGETHER } crowd;

static uint64_t hash_host(void)
{
    char name[256] = "";

    (void)gethostname(name, sizeof(name) - 1);
    return bench_host_id(name, "/proc/sys/kernel/random/boot_id");
}

/* Tell rank 0 on which host each rank is. */
static bool find_hosts(ranks *r, p3d_error *err)
{
    const bench_launch *const launch = r->task->launch;
    const bench_axis all = {.n = launch->n_ranks, .stride = 1};
    const uint64_t mine = hash_host();

    r->hosts = calloc((size_t)launch->n_ranks, sizeof(*r->hosts));
    if (r->hosts == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    if (!bench_net_gather(r->task->net, &mine, sizeof(mine), r->hosts, err))
        return false;
    r->task->record->file.machine.n_nodes =
            launch->rank > 0 ? 1 : bench_group_nodes(r->hosts, 0, &all);
    return true;
}

/* All ranks must run as often: rank 0 decides. */
static bool agree_on_runs(
        const ranks *r, double run_s, int64_t *inner, p3d_error *err)
{
    *inner = bench_runs_of_sample(run_s);
    return bench_net_broadcast(r->task->net, inner, sizeof(*inner), err);
}

static bool time_one(ranks *r, bench_collective *c, bool active,
        p3d_timing *out, p3d_error *err)
{
    const bench_args *const args = r->task->args;
    const bench_work work = {r->task->device, bench_collective_run, c};
    double run_s = 0;
    int64_t inner;

    *out = (p3d_timing){0};
    if (!bench_net_barrier(r->task->net, err) ||
            (active && !bench_warm_up(work, args, &run_s, err)) ||
            !agree_on_runs(r, run_s, &inner, err) ||
            !bench_net_barrier(r->task->net, err))
        return false;
    return !active ||
           bench_time_samples(work, (int)args->n_samples, inner, out, err);
}

/* The timing of the slowest rank, on rank 0. */
static bool find_slowest(ranks *r, p3d_timing *timing, p3d_error *err)
{
    const int n = r->task->launch->n_ranks;
    p3d_timing *const all = calloc((size_t)n, sizeof(*all));
    bool ok = all != NULL || p3d_fail(err, P3D_SYSTEM, "out of memory");

    ok = ok &&
         bench_net_gather(r->task->net, timing, sizeof(*timing), all, err);
    for (int i = 0; i < n && ok && r->task->launch->rank == 0; i++)
        if (all[i].median_s > timing->median_s)
            *timing = all[i];
    free(all);
    return ok;
}

static void add_row(ranks *r, p3d_collective_row *row)
{
    if (r->task->launch->rank > 0)
        return;
    row->algbw_bytes_per_s = (double)row->bytes / row->timing.median_s;
    row->busbw_bytes_per_s =
            row->algbw_bytes_per_s *
            p3d_bus_factor((p3d_measured_op)row->op, row->n_ranks);
    bench_add(r->task->record, &r->task->record->file.collective, sizeof(*row),
            row);
    bench_say("%-14s %-12s %3lld x %-4lld %-3s %12lld B %10.2f us  algbw %8.2f "
              "busbw %8.2f GB/s",
            p3d_measured_op_words[row->op], row->axis, (long long)row->n_groups,
            (long long)row->n_ranks, row->in_place ? "in" : "out",
            (long long)row->bytes, 1e6 * row->timing.median_s,
            1e-9 * row->algbw_bytes_per_s, 1e-9 * row->busbw_bytes_per_s);
}

/* What is measured at once. */
typedef struct trial {
    int op;
    int64_t bytes;
    bool in_place;
    crowd who;
} trial;

/* One collective of one size; every rank comes here, also those that do not
 * take part. */
static bool measure(ranks *r, const axis *a, trial t, p3d_error *err)
{
    const bool active = t.who == TOGETHER || a->group.color == 0;
    const int64_t step = 4 * (int64_t)a->shape.n;
    bench_collective c = {.op = t.op,
            .comm = a->comm,
            .rank = a->group.position,
            .n_ranks = a->shape.n,
            .count = (t.bytes < step ? 1 : t.bytes / step) * a->shape.n,
            .in_place = t.in_place,
            .send = r->send,
            .receive = r->receive};
    p3d_collective_row row = {.op = t.op,
            .n_ranks = a->shape.n,
            .n_groups =
                    t.who == ALONE ? 1 : r->task->launch->n_ranks / a->shape.n,
            .in_place = t.in_place,
            .bytes = 4 * c.count};

    bench_watchdog(r->task->args->timeout_s);
    p3d_copy(row.axis, sizeof(row.axis), a->word);
    row.n_nodes = r->task->launch->rank > 0
                          ? 1
                          : bench_group_nodes(r->hosts, 0, &a->shape);
    if (active &&
            !bench_collective_check(&c, r->task->device, &row.n_checked, err))
        return false;
    if (!time_one(r, &c, active, &row.timing, err) ||
            !find_slowest(r, &row.timing, err))
        return false;
    bench_watchdog(0);
    add_row(r, &row);
    return true;
}

static bool open_axis(
        ranks *r, const char *word, bench_axis shape, axis *out, p3d_error *err)
{
    *out = (axis){.shape = shape,
            .group = bench_group_of(r->task->launch->rank, &shape)};
    p3d_copy(out->word, sizeof(out->word), word);
    bench_watchdog(r->task->args->timeout_s);
    if (!bench_nccl(ncclCommSplit(r->world, out->group.color,
                            out->group.position, &out->comm, NULL),
                "making a group", err))
        return false;
    bench_comm_guard(r->task->device, out->comm);
    return true;
}

static void close_axis(ranks *r, axis *a, bool ok)
{
    bench_comm_guard(r->task->device, r->world);
    bench_comm_close(a->comm, ok);
    a->comm = NULL;
}

static bench_axis shape_of(const p3d_request_collective *want)
{
    return (bench_axis){.n = (int)want->n_ranks,
            .stride = (int)want->stride,
            .n_inner = (int)want->n_inner,
            .block = (int)want->block};
}

/* A plan's collective, by one group and, where there are more, by all. */
static bool measure_of_plan(
        ranks *r, const p3d_request_collective *want, p3d_error *err)
{
    axis a;
    bool ok = open_axis(r, want->axis, shape_of(want), &a, err);

    ok = ok &&
         measure(r, &a, (trial){want->op, want->bytes, false, ALONE}, err) &&
         (r->task->launch->n_ranks == a.shape.n ||
                 measure(r, &a, (trial){want->op, want->bytes, false, TOGETHER},
                         err));
    close_axis(r, &a, ok);
    return ok;
}

static bool measure_request(ranks *r, p3d_error *err)
{
    const p3d_rows *const rows = &r->task->request->collective;
    const p3d_request_collective *const items = rows->items;

    for (int i = 0; i < rows->n; i++) {
        const bench_axis shape = shape_of(&items[i]);

        if (r->task->launch->n_ranks % bench_axis_span(&shape) != 0) {
            bench_note(r->task->record, "groups that these ranks cannot form "
                                        "were left out");
            continue;
        }
        if (!measure_of_plan(r, &items[i], err))
            return false;
    }
    return true;
}

static bool measure_sizes(ranks *r, p3d_error *err)
{
    const bench_args *const args = r->task->args;
    const bench_axis world = {.n = r->task->launch->n_ranks, .stride = 1};
    axis all;
    bool ok = open_axis(r, "all", world, &all, err);

    for (int op = 0; op <= P3D_OP_SEND_RECV && ok; op++) {
        for (int i = 0; ok; i++) {
            const int64_t bytes =
                    bench_size_at(i, args->min_bytes, args->max_bytes);

            if (bytes == 0)
                break;
            ok = measure(r, &all, (trial){op, bytes, false, TOGETHER}, err) &&
                 (!bench_collective_may_be_in_place(op) ||
                         measure(r, &all, (trial){op, bytes, true, TOGETHER},
                                 err));
        }
    }
    close_axis(r, &all, ok);
    return ok;
}

/* The largest buffer that will be needed, and room for a rounded count. */
static int64_t most_bytes(const bench_task *task)
{
    const p3d_request_collective *items;
    int64_t most = task->args->max_bytes;

    if (task->request != NULL) {
        items = task->request->collective.items;
        most = 0;
        for (int i = 0; i < task->request->collective.n; i++)
            most = items[i].bytes > most ? items[i].bytes : most;
    }
    return most + 4 * (int64_t)task->launch->n_ranks;
}

static bool measure_all(ranks *r, p3d_error *err)
{
    const int64_t bytes = most_bytes(r->task);

    bench_watchdog(r->task->args->timeout_s);
    return find_hosts(r, err) &&
           bench_device_allocate(
                   (void **)&r->send, bytes, "what is sent", err) &&
           bench_device_allocate(
                   (void **)&r->receive, bytes, "what is received", err) &&
           bench_comm_open(r->task, &r->world, err) &&
           (r->task->request != NULL ? measure_request(r, err)
                                     : measure_sizes(r, err));
}

bool bench_nccl_command(bench_task *task, p3d_error *err)
{
    ranks r = {.task = task};
    bool ok;

    if (task->launch->n_ranks == 1)
        return p3d_fail(err, P3D_DATA,
                "one rank has no link; start one for each GPU: --gpus N, srun, "
                "mpirun or torchrun");
    task->device->watch_s = task->args->timeout_s;
    ok = measure_all(&r, err);
    task->device->watch_s = 0;

    bench_comm_guard(task->device, NULL);
    bench_comm_close(r.world, ok);
    bench_watchdog(0);
    cudaFree(r.send);
    cudaFree(r.receive);
    free(r.hosts);
    return ok;
}
