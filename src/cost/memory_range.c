/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory_range.c - how sure the three numbers of a rank's memory are. */
#include "cost/memory.h"
#include "plan3d/units.h"
#include "spec/given.h"

/* Reserved over allocated: MooreThreads/SimuMax@4dcaae51 docs/b200, 23 stages.
 */
static const double RESERVED_LEAST = 1.0;
static const double RESERVED_MOST = 1.093;

/* A CUDA context that loads kernels when they are first used, and one with all
 * of them: pytorch issues 107667 and 109888. Assumes: A7. */
static const double CONTEXT_LEAST_BYTES = 0.3 * P3D_GIB;
static const double CONTEXT_MOST_BYTES = 1.3 * P3D_GIB;

/* A communicator of ranks that talk little, and of several on one NVSwitch:
 * NVIDIA/nccl issue 964 (4 A100). */
static const double COMMUNICATOR_LEAST_BYTES = 0;
static const double COMMUNICATOR_MOST_BYTES = 688 * 1048576.0;

static p3d_bytes_range span(double low, double high)
{
    return (p3d_bytes_range){(int64_t)low, (int64_t)high};
}

p3d_memory_ranges p3d_memory_ranges_of(const p3d_problem *problem,
        const p3d_plan *plan, const p3d_memory *memory)
{
    if (!p3d_problem_given(problem) || !p3d_plan_given(plan) || memory == NULL)
        return (p3d_memory_ranges){.device = {0, 0}};

    const double error =
            p3d_memory_error_frac(problem->job.framework, &problem->model);
    const double allocated = (double)p3d_memory_allocated_bytes(memory);
    const double low = allocated * (1 - error);
    const double high = allocated * (1 + error);
    const double wasted = (double)memory->fragmentation_bytes;
    const double most = (RESERVED_MOST - 1) * high;
    const int groups = cost_n_communicators(plan);
    p3d_memory_ranges r;

    r.allocated = span(low, high);
    r.reserved =
            span(RESERVED_LEAST * low, high + (wasted > most ? wasted : most));
    r.device = span((double)r.reserved.low_bytes + CONTEXT_LEAST_BYTES +
                            groups * COMMUNICATOR_LEAST_BYTES,
            (double)r.reserved.high_bytes + CONTEXT_MOST_BYTES +
                    groups * COMMUNICATOR_MOST_BYTES);
    return r;
}
