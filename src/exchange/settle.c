/* SPDX-License-Identifier: GPL-3.0-or-later */
/* settle.c - steps from what files say to a plan that several targets share. */
#include "base/util.h"
#include "exchange/target.h"

bool p3d_settle_replicas(p3d_launch *launch, p3d_error *err)
{
    p3d_plan *const p = &launch->plan;
    const int64_t inner = p3d_mul(p3d_mul(p->tp, p->pp), p->cp);

    if (inner < 1 || inner > launch->n_gpus || launch->n_gpus % inner != 0)
        return p3d_fail(err, P3D_DATA,
                "tp=%d x pp=%d x cp=%d does not divide %d GPUs: the files and "
                "the cluster contradict each other",
                p->tp, p->pp, p->cp, launch->n_gpus);
    p->dp = (int)(launch->n_gpus / inner);
    return true;
}

void p3d_say_shard(p3d_launch *launch)
{
    const p3d_plan *const p = &launch->plan;
    p3d_launch_said *const said = &launch->said;

    said->shard = p->shard > 0 ? p->shard / p->cp : p->dp;
    said->replicate = said->shard > 0 ? p->dp / said->shard : 1;
}

bool p3d_can_say_group(const p3d_launch *launch, p3d_refusal *refusal)
{
    if (launch->plan.group == 0)
        return true;
    return p3d_target_refuse(refusal, "X3",
            "group=%d: no option says how many micro-batches run in a row; "
            "leave it out",
            launch->plan.group);
}

bool p3d_settle_shard(p3d_launch *launch, p3d_error *err)
{
    p3d_plan *const p = &launch->plan;
    const p3d_launch_said *const said = &launch->said;
    int shard = said->shard;

    if (!p3d_settle_replicas(launch, err))
        return false;
    if (said->replicate < 1 || p->dp % said->replicate != 0)
        return p3d_fail(err, P3D_DATA,
                "%d groups of replicas do not divide dp=%d", said->replicate,
                p->dp);
    if (shard <= 0)
        shard = p->dp / said->replicate;
    if (p3d_mul(shard, said->replicate) != p->dp)
        return p3d_fail(err, P3D_DATA,
                "%d replicas that share x %d groups of them is not dp=%d, "
                "which follows from the %d GPUs",
                shard, said->replicate, p->dp, launch->n_gpus);
    p->shard = said->replicate > 1 ? shard * p->cp : 0;
    return true;
}

bool p3d_settle_dtype(p3d_launch *launch, p3d_error *err)
{
    const p3d_launch_said *const said = &launch->said;

    if (said->bf16 && said->fp16)
        return p3d_fail(err, P3D_DATA, "bf16 and fp16 contradict each other");
    launch->job.dtype = said->fp8 > 0 ? P3D_FP8
                        : said->bf16  ? P3D_BF16
                        : said->fp16  ? P3D_FP16
                                      : P3D_FP32;
    return true;
}
