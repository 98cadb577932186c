/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compressed_items.c - what compressed communication keeps on the device. */
#include <math.h>

#include "base/util.h"
#include "cost/memory/memory.h"

/** What compressed communication keeps: second shares of the weights in 16
 * bits; errors of what was sent, and what becomes of a momentum's signs.
 * Source: DeepSpeed@0.18.0 deepspeed/runtime/zero/partition_parameters.py
 * (_partition_param_sec), runtime/fp16/onebit/adam.py (worker_error,
 * server_error), runtime/comm/nccl.py; pytorch@2.6.0 torch/distributed/
 * algorithms/ddp_comm_hooks/powerSGD_hook.py (error_dict, p_memory_dict),
 * quantization_hooks.py. */
int cost_compressed_items(
        const cost_rank *r, cost_item out[COST_COMPRESSED_ITEMS])
{
    const p3d_problem *const of = r->of.problem;
    const p3d_compression *const c = &of->job.compression;
    const double E = p3d_dtype_bytes(of->job.dtype);
    const double all = cost_all_params(r->parameters.all);
    const double n = cost_all_params(r->parameters.trained);
    const double ranks = cost_dense_replicas(r->of.plan);
    const double left =
            c->rank > 0 ? p3d_low_rank_numbers(&of->model, c->rank) : 0;
    const double bucket = fmin(n, of->job.framework->reduce_bucket);
    const cost_item kept[] = {
            {P3D_TERM_weights, COST_ALWAYS, "second shares of the weights",
                    "hpZ: for all gathers but the first", "arXiv:2306.10209",
                    all / fmax(1, c->shares),
                    c->shares > 0 ? E * all / c->shares : 0, false},
            {P3D_TERM_optimizer, COST_ALWAYS, "errors of the momenta's signs",
                    "1-bit Adam: added in the next step", "arXiv:2102.02888", n,
                    c->one_bit ? 4 * n * (1 + 1 / ranks) : 0, false},
            {P3D_TERM_buffers, COST_AT_STEP, "signs of the momenta",
                    "1-bit Adam: unpacked, two copies", "arXiv:2102.02888",
                    2 * n, c->one_bit ? 8 * n : 0, false},
            {P3D_TERM_gradients, COST_ALWAYS, "errors of the gradients",
                    "PowerSGD: added in the next step, and its factors",
                    "arXiv:1905.13727", n + left,
                    c->rank > 0 ? 4 * (n + left) : 0, false},
            {P3D_TERM_buffers, COST_AT_STEP, "8-bit gradients of all ranks",
                    "of a bucket, with their sum in fp32",
                    "pytorch@2.6.0 quantization_hooks.py", ranks * bucket,
                    c->eight_bit ? (ranks + 4) * bucket : 0, false}};

    P3D_ASSERT(P3D_COUNT_OF(kept) == COST_COMPRESSED_ITEMS);
    for (int i = 0; i < COST_COMPRESSED_ITEMS; i++)
        out[i] = kept[i];
    return COST_COMPRESSED_ITEMS;
}
