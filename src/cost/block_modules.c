/* SPDX-License-Identifier: GPL-3.0-or-later */
/* block_modules.c - what recomputing modules of a block frees and repeats. */
#include "base/util.h"
#include "cost/cost.h"
#include "spec/given.h"

/* Share of the matrix products that recomputation by operation runs again. */
static const double PER_OP_GEMM_FRAC = 0.5;

p3d_module_share *cost_share_of(p3d_module_shares *shares, unsigned modules)
{
    for (int i = 0; i < shares->n; i++) {
        if (shares->at[i].modules == modules)
            return &shares->at[i];
    }
    P3D_ASSERT(shares->n < P3D_MAX_MODULE_SHARES);
    shares->at[shares->n] = (p3d_module_share){.modules = modules};
    return &shares->at[shares->n++];
}

/** All that belongs to some of the modules. */
static p3d_module_share sum_of(
        const p3d_module_shares *shares, unsigned modules)
{
    p3d_module_share sum = {.modules = modules};

    for (int i = 0; i < shares->n; i++) {
        const p3d_module_share *one = &shares->at[i];

        if ((one->modules & modules) == 0)
            continue;
        sum.saved_bytes = p3d_add(sum.saved_bytes, one->saved_bytes);
        sum.forward_s += one->forward_s;
        sum.forward_flop += one->forward_flop;
    }
    return sum;
}

/** Modules come back one after the other: bytes of the largest. */
static int64_t most_at_once_bytes(
        const p3d_module_shares *shares, unsigned modules)
{
    int64_t most = 0;

    for (int i = 0; i < P3D_N_MODULES; i++) {
        const unsigned one = modules & 1u << i;
        const int64_t bytes = one == 0 ? 0 : sum_of(shares, one).saved_bytes;

        most = bytes > most ? bytes : most;
    }
    return most;
}

/** By operation all memory-bound passes and every second matrix product run
 *  again. */
static void repeat_by_op(const p3d_module_shares *shares, p3d_block *out)
{
    const double core_flop =
            sum_of(shares, P3D_MODULE_CORE_ATTENTION).forward_flop;

    out->replay_s[P3D_RECOMPUTE_SELECTIVE] =
            out->forward.memory_pass_s + PER_OP_GEMM_FRAC * out->forward.gemm_s;
    out->replay_flop[P3D_RECOMPUTE_SELECTIVE] =
            PER_OP_GEMM_FRAC *
            (out->replay_flop[P3D_RECOMPUTE_FULL] - core_flop);
}

void cost_block_recompute(
        const p3d_module_shares *shares, unsigned modules, p3d_block *out)
{
    const p3d_module_share sum = sum_of(shares, modules);

    out->saved_bytes[P3D_RECOMPUTE_SELECTIVE] =
            out->saved_bytes[P3D_RECOMPUTE_NONE] - sum.saved_bytes;
    out->replay_bytes[P3D_RECOMPUTE_SELECTIVE] =
            most_at_once_bytes(shares, modules);
    out->replay_s[P3D_RECOMPUTE_SELECTIVE] = sum.forward_s;
    out->replay_flop[P3D_RECOMPUTE_SELECTIVE] = sum.forward_flop;
    if ((modules & P3D_MODULE_PER_OP) != 0)
        repeat_by_op(shares, out);
}

unsigned cost_modules(const p3d_framework *framework, unsigned modules)
{
    return modules != 0 ? modules : framework->usual_modules;
}

void p3d_blocks_recompute(
        const p3d_problem *problem, unsigned modules, p3d_blocks *blocks)
{
    if (!p3d_problem_given(problem) || blocks == NULL)
        return;
    modules = cost_modules(problem->job.framework, modules);
    for (int i = 0; i < P3D_N_BLOCKS; i++)
        cost_block_recompute(&blocks->shares[i], modules, &blocks->block[i]);
}
