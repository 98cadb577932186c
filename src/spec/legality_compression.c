/* SPDX-License-Identifier: GPL-3.0-or-later */
/* legality_compression.c - which plans may send less than weights and
 * gradients as they are.
 *
 * Source: DeepSpeed@0.18.0 deepspeed/utils/groups.py
 * (_create_zero_param_parallel_group, _get_local_all_to_all_group),
 * runtime/zero/config.py, runtime/zero/utils.py (ZERO_SUPPORTED_OPTIMIZERS:
 * no 1-bit optimizer), runtime/fp16/onebit/adam.py; pytorch@2.6.0
 * torch/distributed/algorithms/ddp_comm_hooks/powerSGD_hook.py and
 * quantization_hooks.py (of DistributedDataParallel alone). */
#include "spec/compression.h"
#include "spec/legality.h"

static const char *title_of(unsigned need)
{
    return need == P3D_COMPRESS_ZEROPP    ? "ZeRO++"
           : need == P3D_COMPRESS_ONE_BIT ? "1-bit Adam"
           : need == P3D_COMPRESS_8_BIT   ? "8-bit reduction"
                                          : "PowerSGD";
}

static const char *framework_of(unsigned need)
{
    static const unsigned hooks = P3D_COMPRESS_LOW_RANK | P3D_COMPRESS_8_BIT;

    return (need & hooks) != 0 ? "ddp" : "deepspeed-hf";
}

/* Groups of ZeRO++ are of neighbours among all GPUs. */
static bool check_groups(const spec_question *q)
{
    const p3d_plan *const p = q->plan;
    const int shares = q->job->compression.shares;

    if (p->tp > 1 || p->pp > 1 || p->ep > 1)
        return spec_refuse(q,
                "tp=%d,pp=%d,ep=%d: the groups of ZeRO++ are of all GPUs; try "
                "1 of each",
                p->tp, p->pp, p->ep);
    if (p->shard > 0)
        return spec_refuse(q,
                "shard=%d: ZeRO++ shares states among all replicas; leave it "
                "out",
                p->shard);
    return shares == 0 || (p->dp * p->cp) % shares == 0 ||
           spec_refuse(q,
                   "hpz=%d of --compress does not divide the %d GPUs; write a "
                   "divisor, as many as a node has",
                   shares, p->dp * p->cp);
}

bool spec_rule_compression(const spec_question *q)
{
    const p3d_compression *const c = &q->job->compression;
    const unsigned needs = spec_compression_needs(c);
    const int zero = spec_compression_zero(c);

    if (needs == 0)
        return true;
    if ((q->framework->compresses & needs) != needs)
        return spec_refuse(q,
                "%s has no %s; leave out --compress, or try --framework %s",
                q->framework->name, title_of(needs), framework_of(needs));
    if (q->plan->zero != zero)
        return spec_refuse(q, "zero=%d: %s goes with zero=%d alone; try that",
                q->plan->zero, title_of(needs), zero);
    if (c->one_bit && q->job->optimizer != P3D_ADAM)
        return spec_refuse(q,
                "--optimizer %s: 1-bit Adam is Adam; leave it out",
                p3d_optimizer_of(q->job->optimizer)->name);
    if (c->rank > 0 && (p3d_low_rank_numbers(q->model, c->rank) <= 0 ||
                               q->job->adapters.rank > 0))
        return spec_refuse(q,
                "PowerSGD is planned for dense decoders that are trained in "
                "full; leave out --compress");
    return needs != P3D_COMPRESS_ZEROPP || check_groups(q);
}
