/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - plan3d-bench: measures this machine for plan3d. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/device/commands.h"
#include "bench/device/nccl_net.h"
#include "plan3d/version.h"

static bench_measure *const measures[BENCH_N_COMMANDS] = {
        [BENCH_GEMM] = bench_gemm_command,
        [BENCH_ATTENTION] = bench_attention_command,
        [BENCH_MEMORY] = bench_memory_command,
        [BENCH_NCCL] = bench_nccl_command,
        [BENCH_OVERLAP] = bench_overlap_command,
        [BENCH_CAPACITY] = bench_capacity_command,
        [BENCH_QUICK] = bench_quick_command,
};

void bench_say(const char *fmt, ...)
{
    char line[P3D_ERROR_LINE + 64];
    va_list args;

    va_start(args, fmt);
    vsnprintf(line, sizeof(line), fmt, args);
    va_end(args);
    fprintf(stderr, "%s\n", line);
}

static const char *environment(const char *name)
{
    return getenv(name);
}

/* Products heat every device of a node as training does, and one may be slower
 * than the others; of the rest one device tells. */
static bool uses_ranks(bench_command command)
{
    return command != BENCH_ATTENTION && command != BENCH_MEMORY;
}

/* With --gpus further processes begin here, each with a rank of its own. */
static bool find_rank(
        const bench_args *args, bench_launch *launch, p3d_error *err)
{
    const bool ok = args->n_gpus > 0
                            ? bench_launch_fork((int)args->n_gpus, launch, err)
                            : bench_launch_read(environment, launch, err);

    launch->rendezvous = (bench_rendezvous)args->rendezvous;
    launch->over_nccl = &bench_over_nccl;
    return ok;
}

/* What one device tells, rank 0 measures; the others have nothing to do. */
static bool has_work(const bench_args *args, const bench_launch *launch)
{
    return uses_ranks(args->command) || launch->rank == 0;
}

static bool measure_on(bench_task *task, p3d_error *err)
{
    return bench_device_describe(task->device, task->launch,
                   &task->record->file.machine, err) &&
           measures[task->args->command](task, err);
}

/* How is told before they meet, for it may show what is wrong. MPI has no
 * deadline of its own to begin. */
static bool meet(bench_task *task, p3d_error *err)
{
    char words[640];

    bench_watchdog(task->args->timeout_s);
    bench_net_print(task->launch, words, sizeof(words));
    bench_watchdog(0);
    if (task->launch->rank == 0 && task->launch->n_ranks > 1 &&
            words[0] != '\0')
        bench_say("%s", words);
    return bench_net_open(task->launch, task->args->timeout_s, &task->net, err);
}

static bool measure(bench_task *task, p3d_error *err)
{
    bench_device device;
    bool ok;

    task->device = &device;
    if (task->launch->rank == 0)
        task->record->keep = task->args;
    ok = bench_device_open(task->args, task->launch, &device, err) &&
         (!uses_ranks(task->args->command) || meet(task, err));
    if (ok && task->launch->n_children > 0)
        device.children = task->launch;
    ok = ok && measure_on(task, err);
    bench_net_close(task->net, ok);
    bench_device_close(&device);
    return ok;
}

static bool run(int argc, char **argv, const bench_args *args,
        bench_launch *launch, p3d_error *err)
{
    const char *const *const words = (const char *const *)argv;
    p3d_request request = {0};
    bench_record record;
    bench_task task = {.args = args, .launch = launch, .record = &record};
    p3d_error unsaved = {0};
    bool ok, is_saved = true;

    bench_record_begin(argc, words, &record);
    if (args->request != NULL) {
        if (!p3d_request_open(args->request, &request, err))
            return false;
        task.request = &request;
    }
    ok = bench_output_check(args->output, args->force || args->resume, err) &&
         find_rank(args, launch, err) &&
         (!has_work(args, launch) || measure(&task, err));
    if (ok && launch->rank == 0)
        ok = bench_record_write(&record, args, err);
    else if (launch->rank == 0)
        is_saved = bench_record_save(&record, args, err, &unsaved);
    if (!is_saved)
        bench_say("plan3d-bench: %s", unsaved.text);
    if (ok && launch->rank == 0 && record.file.note[0] != '\0')
        bench_say("note: %s", record.file.note);
    bench_record_free(&record);
    p3d_request_free(&request);
    return ok;
}

/* In one piece, so that the lines of several ranks do not mix. */
static void print_error(const p3d_error *error, const bench_launch *launch)
{
    char words[P3D_ERROR_LINE];
    char rank[32] = "";

    if (launch->n_ranks > 1)
        snprintf(rank, sizeof(rank), "rank %d: ", launch->rank);
    bench_say("plan3d-bench: %s%s%s", rank,
            p3d_print_error(words, sizeof(words), error),
            error->code == P3D_USAGE ? " (see 'plan3d-bench help')" : "");
}

static bool print_answer(const bench_args *args)
{
    p3d_text text = {0};
    bool ok;

    if (args->version)
        p3d_text_add(&text, "plan3d-bench %s\n", P3D_VERSION);
    else
        bench_print_help(args, &text);
    ok = fputs(p3d_text_get(&text), stdout) >= 0 && fflush(stdout) == 0;
    p3d_text_free(&text);
    return ok;
}

int main(int argc, char **argv)
{
    const char *const *const words = (const char *const *)argv;
    bench_launch launch = {.n_ranks = 1};
    p3d_error err = {0};
    bench_args args = {0};
    bool ok = bench_args_parse(argc > 0 ? argc - 1 : 0, words + 1, &args, &err);

    if (ok && (args.help || args.version))
        return print_answer(&args) ? 0 : p3d_exit_status(P3D_SYSTEM);
    ok = ok && run(argc, argv, &args, &launch, &err);
    if (!ok)
        print_error(&err, &launch);
    if (!bench_launch_end(&launch, ok) && ok)
        return p3d_exit_status(P3D_DEVICE);
    return p3d_exit_status(err.code);
}
