/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands.h - what each command of plan3d-bench measures. */
#ifndef PLAN3D_BENCH_COMMANDS_H
#define PLAN3D_BENCH_COMMANDS_H

#include "bench/device/device.h"
#include "bench/host/net.h"
#include "plan3d/request.h"

/** What a command works with. */
typedef struct bench_task {
    const bench_args *args;
    bench_launch *launch;
    bench_device *device;
    bench_net *net;
    const p3d_request *request; /* NULL = none */
    bench_record *record;
} bench_task;

/** Measure, and add rows to the record. */
typedef bool bench_measure(bench_task *task, p3d_error *err);

bench_measure bench_gemm_command;
bench_measure bench_attention_command;
bench_measure bench_memory_command;
bench_measure bench_nccl_command;
bench_measure bench_overlap_command;
bench_measure bench_capacity_command;
bench_measure bench_quick_command;

/** One line of progress on standard error. */
void bench_say(const char *fmt, ...) P3D_PRINTF(1, 2);

#endif
