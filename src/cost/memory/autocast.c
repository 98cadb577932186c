/* SPDX-License-Identifier: GPL-3.0-or-later */
/* autocast.c - what PyTorch's autocast keeps of fp32 weights in 16 bit. */
#include <math.h>

#include "base/util.h"
#include "cost/memory/memory.h"
#include "cost/workload/precision.h"
#include "spec/params.h"

/**
 * Casts of the matrices, in 16 bit.
 *
 *     backward   2 (P of layers that are not recomputed in full + P head)
 *                + 2 P of the largest layer, where others are
 *     loss       the same, or 2 (P - 2 logits) where that is more
 *
 * Autocast keeps each cast until its outermost context is left, behind the
 * loss; autograd keeps those that a backward pass needs, and recomputation
 * casts a layer's again. When the loss is computed, all of them are there and
 * the gradient of its log-softmax (4 bytes per logit) is not; the segments of
 * what is given up then do not fit logits.
 *
 * Source: pytorch@2.6.0 aten/src/ATen/autocast_mode.cpp (cached_cast,
 * clear_cache), torch/utils/checkpoint.py (device_autocast_kwargs).
 * Tested: tests/unit/test_memory_items.c
 */
int cost_cast_items(const cost_rank *r, cost_item out[COST_CAST_ITEMS])
{
    static const char name[] = "16-bit casts of the weights";
    static const char why[] = "autocast, for the backward pass";
    static const char source[] =
            "pytorch@2.6.0 aten/src/ATen/autocast_mode.cpp (cached_cast)";
    const p3d_job *const job = &r->of.problem->job;
    const double E = p3d_dtype_bytes(job->dtype);
    const p3d_model *const m = &r->of.problem->model;
    const double head =
            r->has_head ? (double)spec_head_width(m) *
                                  (double)spec_head_rows(m, job->framework, 1)
                        : 0;
    const bool replays = r->of.plan->recompute == P3D_RECOMPUTE_FULL;
    const double kept = r->layers.kept_params + head;
    const double passing = kept + (replays ? r->layer_params : 0);
    const double whole = cost_all_params(r->parameters.all);
    const double logits =
            p3d_loss_is_chunked(p3d_job_loss(job)) ? 0 : cost_rank_logits(r);
    const double at_loss = fmax(kept, whole - 2 * logits);

    if (!cost_autocasts(job))
        return 0;
    out[0] = (cost_item){P3D_TERM_weights, COST_AT_LOSS, name, why, source,
            at_loss, E * at_loss, false};
    out[1] = (cost_item){P3D_TERM_weights, COST_AT_BACKWARD, name, why, source,
            passing, E * passing, false};
    out[2] = (cost_item){P3D_TERM_fragmentation, COST_AT_LOSS,
            "segments of the weights' casts", "smaller than logits", source,
            whole - at_loss, E * (whole - at_loss), false};
    return COST_CAST_ITEMS;
}
